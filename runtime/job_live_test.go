package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// rankLetGo ends the bodies of rankHold on its rank.
var rankLetGo = edt.NewTemplate("runtime_test.rankLetGo", 0, 0, does(func(*edt.Ctx, edt.Args) {
	letGo.Store(true)
}))

// TestJobIsWatched: the watchdog of rank 0 sees that a worker of another process is held while others wait, and for
// what they wait.
func TestJobIsWatched(t *testing.T) {
	const workers = 2
	var looks Inspector
	stalls := make(chan Stall, 100)
	err := Run(t.Context(), starting(func(c *edt.Ctx) {
		e := c.NewEvent(edt.Sticky)
		away := c.NewEDTAt(c.Place(workers), rankStuck, nil, edt.From(e, datablock.Null))
		c.NewEDTAt(c.Bind(workers), rankHold, nil)
		s := <-stalls
		for s.Worker != workers {
			s = <-stalls
		}
		waits := fmt.Sprintf("  EDT %v of template %s on rank 1\n    slot 0: sticky event %v, never satisfied\n",
			away.Short(), rankStuck.Name(), e.Short())
		if text := s.String(); !strings.HasPrefix(text, "an EDT has held worker 2 for ") || !strings.Contains(text, waits) ||
			!strings.Contains(text, "of template "+rankHold.Name()) {
			t.Errorf("%s, want %s", text, waits)
		}
		if text := looks.Snapshot().String(); !strings.Contains(text, waits) ||
			!strings.Contains(text, "worker 3: no EDT, 0 so far\n") {
			t.Errorf("%s, want %s", text, waits)
		}
		c.NewEDTAt(c.Bind(workers+1), rankLetGo, nil)
		c.Satisfy(e, guid.Null)
	}), Ranks(2), Workers(workers), Inspect(&looks), Watchdog(Watch{Held: 5 * time.Millisecond, Report: func(s Stall) {
		stalls <- s
	}}))
	testrun.OK(t, err)
}

// TestJobCancelled: the context of rank 0 ends the run in all processes.
func TestJobCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, starting(func(c *edt.Ctx) {
		c.NewEDT(rankForever, nil)
		time.AfterFunc(time.Millisecond, cancel)
	}), Ranks(3), Workers(1))
	if !errors.Is(err, context.Canceled) || !errors.Is(err, edt.ECANCELED) {
		t.Errorf("%v", err)
	}
}

// TestJobStuck: a run in which EDTs of each process wait for events of the other says so.
func TestJobStuck(t *testing.T) {
	err := Run(t.Context(), starting(func(c *edt.Ctx) {
		e := c.NewEvent(edt.Sticky)
		c.NewEDTAt(c.Bind(1), rankStuck, nil, edt.From(e, datablock.Null))
		c.NewEDTAt(c.Bind(1), rankWaits, nil)
	}), Ranks(2), Workers(1))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) || stuck.Count != 2 || strings.Count(err.Error(), "slot 0: sticky event") != 2 ||
		strings.Count(err.Error(), "never satisfied") != 2 {
		t.Errorf("%v", err)
	}
}

// rankWaits makes an EDT on rank 0 that waits for an event of this rank.
var rankWaits = edt.NewTemplate("runtime_test.rankWaits", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
	c.NewEDTAt(c.Bind(0), rankStuck, nil, edt.From(c.NewEvent(edt.Sticky), datablock.Null))
}))
