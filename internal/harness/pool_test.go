package harness

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/machine"
	"ocr/runtime"
)

// thisPool returns a pool on this machine.
func thisPool(t *testing.T, workers int) *Pool {
	t.Helper()
	m, err := machine.Read()
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPool(m, workers, nil, runtime.BindCompact)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRunIsAbandoned holds that a run is not waited for once it is abandoned, even while
// an EDT runs that does not hear of it.
func TestRunIsAbandoned(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	abandon, deaf := make(chan struct{}), make(chan struct{})
	watch := &Watch{Stats: true, TraceEvents: 100}
	_, err := thisPool(t, 2).Run(ctx, func(*edt.Ctx, edt.Args) guid.GUID {
		cancel(ErrInterrupted)
		close(abandon)
		<-deaf
		return guid.Null
	}, RunOptions{Abandon: abandon, Observe: watch})
	if !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	if watch.Report() != nil || len(watch.lost) != 1 {
		t.Errorf("statistics of a run that goes on: %v, %v", watch.Report(), watch.lost)
	}
	close(deaf)
}

func TestRunReports(t *testing.T) {
	main := func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }
	g, err := thisPool(t, 3).Run(t.Context(), main, RunOptions{}, "app")
	if err != nil || len(g.Placement) != 3 || g.Counters.EDTRun != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err = thisPool(t, 1).Run(t.Context(), func(*edt.Ctx, edt.Args) guid.GUID { panic("out of cheese") }, RunOptions{}); err == nil {
		t.Error("a panic is no error")
	}
}

func TestPool(t *testing.T) {
	m, err := machine.Read()
	if err != nil {
		t.Fatal(err)
	}
	first := m.Allowed[0]
	shared, err := NewPool(m, 3, []int{first}, runtime.BindCompact)
	if err != nil || !shared.Shared() || shared.Cores() != 1 || len(shared.Warnings) != 1 || len(shared.Used()) != 1 {
		t.Errorf("three workers on one processor: %+v, %v", shared, err)
	}
	for _, pin := range shared.Pins() {
		if pin != first {
			t.Errorf("pins %v, want all on %d", shared.Pins(), first)
		}
	}
	shared.Bind = runtime.BindNone
	if shared.Pins()[0] != -1 {
		t.Errorf("pins %v of workers that are not pinned", shared.Pins())
	}
	if _, err := NewPool(m, 1, []int{8190}, runtime.BindCompact); err == nil {
		t.Error("a processor that is not allowed was accepted")
	}
	listed := &Pool{Workers: 2, CPUs: []int{5, 3}, Bind: runtime.BindListed}
	if pins := listed.Pins(); pins[0] != 5 || pins[1] != 3 {
		t.Errorf("pins %v, want those listed", pins)
	}
}
