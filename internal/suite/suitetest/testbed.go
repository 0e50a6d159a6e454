// Package suitetest is what the tests of all suites begin with.
package suitetest

import (
	"io"
	"testing"

	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/runtime"
)

// Testbed returns a testbed with so many workers on the processors that the test may use.
func Testbed(t *testing.T, workers int, s harness.Sampling) *harness.Testbed {
	t.Helper()
	m, err := machine.Read()
	if err != nil {
		t.Fatal(err)
	}
	p, err := harness.NewPool(m, workers, nil, runtime.BindCompact)
	if err != nil {
		t.Fatal(err)
	}
	return &harness.Testbed{Machine: m, Pool: p, Console: harness.NewConsole("ocrbench", io.Discard), Sampling: s}
}
