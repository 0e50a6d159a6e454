// Package suitetest has the common beginning of the tests of all suites.
package suitetest

import (
	"io"
	"testing"

	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/runtime"
)

// Bed returns a testbed with these workers on the processors that the test may use.
func Bed(t *testing.T, workers int, s testbed.Sampling) *testbed.Bed {
	t.Helper()
	m, err := machine.Read()
	if err != nil {
		t.Fatal(err)
	}
	p, err := testbed.NewPool(m, 1, workers, nil, runtime.BindCompact)
	if err != nil {
		t.Fatal(err)
	}
	return &testbed.Bed{Machine: m, Pool: p, Console: testbed.NewConsole("ocrbench", io.Discard), Sampling: s}
}
