// Package suitetest has the common beginning of the tests of all suites.
package suitetest

import (
	"io"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/runtime"
)

// Bed returns a testbed with this number of workers on the processors that the test may use. It verifies results.
func Bed(t *testing.T, workers int, plan bench.Plan) *testbed.Bed {
	t.Helper()
	m, err := machine.Read()
	if err != nil {
		t.Fatal(err)
	}
	p, err := testbed.NewPool(m, 1, workers, nil, runtime.BindCompact)
	if err != nil {
		t.Fatal(err)
	}
	plan.Resolution = m.Clock
	return &testbed.Bed{
		Machine: m, Pool: p, Plan: plan, Verify: true,
		Output: testbed.Output{Console: testbed.NewConsole("ocrbench", io.Discard)},
	}
}
