package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/topo"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestTakenProcessor: if the process may no longer use a processor of the run, the run ends as an interrupted one does.
func TestTakenProcessor(t *testing.T) {
	for _, cpus := range [][]int{{4095}, {0, 4094}, {1 << 19, 0}} {
		ctx, stop := Interruptible(context.Background(), NewConsole("test", io.Discard), func() {})
		p := &Pool{Ranks: 1, Workers: 1, CPUs: cpus, Bind: runtime.BindListed}
		err := new(Bed).RunOn(ctx, p, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }, nil)
		if !errors.Is(err, ErrInterrupted) || ctx.Err() == nil ||
			!strings.Contains(err.Error(), "the system has taken processors of "+p.CPUList()+" from this process") {
			t.Errorf("on %v: %v, then the context says %v", cpus, err, ctx.Err())
		}
		stop()
	}
}

// TestPoolDivides: the default number of workers of each rank, and their processors, on three cores of two threads
// each.
func TestPoolDivides(t *testing.T) {
	m := &machine.Machine{Topology: new(topo.Topology)}
	for id := range 6 {
		m.Allowed = append(m.Allowed, id)
		m.Topology.CPUs = append(m.Topology.CPUs, topo.CPU{ID: id, Core: id / 2, Siblings: []int{id &^ 1, id | 1}})
	}
	for _, c := range []struct {
		ranks, workers int
		bind           runtime.Binding
		want           string
	}{
		{1, 0, runtime.BindCompact, "6 [0 2 4 1 3 5] shared false"},
		{2, 0, runtime.BindCompact, "2 [0 1 2 4] shared false"}, // one core, and two cores
		{2, 3, runtime.BindCompact, "3 [0 1 0 2 4 3] shared true"},
		{2, 3, runtime.BindNone, "3 [-1 -1 -1 -1 -1 -1] shared false"},
		{3, 0, runtime.BindCompact, "2 [0 1 2 3 4 5] shared false"},
		{6, 0, runtime.BindCompact, "1 [0 1 2 3 4 5] shared false"},
		{8, 0, runtime.BindCompact, "1 [0 1 2 3 4 5 0 1] shared true"},
	} {
		p, err := NewPool(m, c.ranks, c.workers, nil, c.bind)
		testrun.OK(t, err)
		testrun.Equal(t, c.want, fmt.Sprint(p.Workers, " ", p.Pins(), " shared ", p.Shared()),
			"%d ranks, %d workers, %v", c.ranks, c.workers, c.bind)
	}
}

// TestConditions: the processors that are observed. The time of other ranks is not known.
func TestConditions(t *testing.T) {
	m, err := machine.Read()
	testrun.OK(t, err)
	for _, c := range []struct {
		ranks int
		bind  runtime.Binding
		want  int
	}{{1, runtime.BindCompact, 1}, {1, runtime.BindNone, len(m.Allowed)}, {2, runtime.BindCompact, 0}} {
		p, err := NewPool(m, c.ranks, 1, nil, c.bind)
		testrun.OK(t, err)
		bed, got := &Bed{Machine: m, Pool: p, Output: Output{Console: NewConsole("test", io.Discard)}}, 0
		testrun.OK(t, bed.During(p.Used(), func() error {
			time.Sleep(300 * time.Millisecond) // 30 ticks of the system's clock
			return nil
		}))
		if bed.conditions != nil {
			got = bed.conditions.Processors
		} else if c.want > 0 {
			t.Skip("the system does not tell them")
		}
		testrun.Equal(t, c.want, got, "processors of %d ranks, %v", c.ranks, c.bind)
	}
}

func TestPool(t *testing.T) {
	m, err := machine.Read()
	testrun.OK(t, err)
	first := m.Allowed[0]
	shared, err := NewPool(m, 1, 3, []int{first}, runtime.BindCompact)
	if err != nil || !shared.Shared() || shared.Cores() != 1 || len(shared.Warnings) != 1 || len(shared.Used()) != 1 {
		t.Errorf("three workers on one processor: %+v, %v", shared, err)
	}
	if _, err := NewPool(m, 1, 1, []int{8190}, runtime.BindCompact); err == nil {
		t.Error("a processor that is not allowed was accepted")
	}
	over, err := NewPool(m, 3, 2, []int{first}, runtime.BindCompact)
	if want := "6 workers of 3 ranks share 1 processors: times include waiting for one"; err != nil ||
		over.Threads() != 6 || over.Cores() != 1 ||
		fmt.Sprint(over.Warnings) != "["+want+"]" || len(over.Pins()) != 6 || over.InNames() != "workers=2/ranks=3" {
		t.Errorf("ranks on one processor: %+v, %v", over, err)
	}
	var bad *trial.ConfigError
	if _, err := NewPool(m, 256, 128, nil, runtime.BindCompact); !errors.As(err, &bad) || bad.Flag != "workers" {
		t.Errorf("32768 workers: %v", err)
	}
	listed := &Pool{Ranks: 1, Workers: 2, CPUs: []int{5, 3}, Bind: runtime.BindListed}
	if pins := listed.Pins(); pins[0] != 5 || pins[1] != 3 {
		t.Errorf("pins %v, want those listed", pins)
	}
	testrun.Equal(t, "[5 3]", fmt.Sprint(listed.CorePins()), "processors of plain loops")
	testrun.Equal(t, fmt.Sprint([]int{first}), fmt.Sprint(shared.CorePins()), "processors of plain loops, one shared")
	listed.Bind = runtime.BindNone
	testrun.Equal(t, "[-1 -1]", fmt.Sprint(listed.CorePins()), "processors of plain loops that are not pinned")
}
