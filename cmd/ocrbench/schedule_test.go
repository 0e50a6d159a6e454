package main

import (
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/command"
)

// racing creates an EDT that waits for a once event, and another EDT that triggers the event, in no order.
func racing(c *edt.Ctx, _ edt.Args) guid.GUID {
	once := c.NewEvent(edt.Once)
	waiter := c.NewTemplate("waiter", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	wait := c.NewTemplate("wait", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(waiter, nil, edt.From(once, datablock.Null))
		return guid.Null
	})
	trigger := c.NewTemplate("trigger", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Satisfy(once, guid.Null)
		return guid.Null
	})
	c.NewEDT(wait, nil)
	c.NewEDT(trigger, nil)
	return guid.Null
}

// TestScheduleFindsARace: some schedules find a mistake that depends on the order, always the same ones.
func TestScheduleFindsARace(t *testing.T) {
	const name = "test_graph_race"
	before := apps
	defer func() { apps = before }()
	apps = append(apps[:len(apps):len(apps)], testGraph(name, racing))
	fails := map[string]bool{"fifo": false, "lifo": true, "replay:1r1": true, "replay:1h": true}
	for schedule, fails := range fails {
		for _, workers := range []string{"1", "2", "3", "8"} {
			code, _, errs := call(t.Context(), name, "--workers", workers, "--schedule", schedule)
			failed := code == command.ExitFailed && strings.Contains(errs, "stale GUID")
			if failed != fails || !fails && code != 0 {
				t.Errorf("%s on %s workers: exit code %d, %q", schedule, workers, code, errs)
			}
		}
	}
	code, _, errs := call(t.Context(), name, "--schedule", "replay:1r5")
	const want = "the schedule does not fit this program: move 1r5 cannot be made"
	if code != command.ExitFailed || !strings.Contains(errs, want) {
		t.Errorf("a schedule that does not fit: exit code %d, %q", code, errs)
	}
}
