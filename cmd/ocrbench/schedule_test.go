package main

import (
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/command"
)

// The order of the greetings is the schedule's.
func TestSchedules(t *testing.T) {
	for schedule, want := range map[string]string{
		"fifo":            "1: hello, Ada\n2: hello, Grace\n",
		"lifo":            "1: hello, Ada\n2: hello, Grace\n",
		"random:7":        "1: hello, Ada\n2: hello, Grace\n",
		"overlap:7":       "1: hello, Ada\n2: hello, Grace\n",
		"replay:tidy,1w0": "1: hello, Ada\n2: hello, Grace\n",
	} {
		code, out, errs := call(t.Context(), noEnv, "hello", "Ada", "Grace", "--workers", "2", "--schedule", schedule)
		if code != 0 || out != want || errs != "" {
			t.Errorf("%s: exit code %d, %q, %q", schedule, code, out, errs)
		}
	}
}

// racing has an EDT wait for a once event that another triggers, in no order.
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

// A mistake that depends on the order comes with some schedules, always with the same.
func TestScheduleFindsARace(t *testing.T) {
	const name = "test_graph_race"
	before := apps
	defer func() { apps = before }()
	apps = append(apps[:len(apps):len(apps)], testGraph(name, racing))
	for schedule, fails := range map[string]bool{"fifo": false, "lifo": true, "replay:1r1": true, "replay:1h": true, "replay:1w0": false} {
		for _, workers := range []string{"1", "2", "3", "8"} {
			code, _, errs := call(t.Context(), noEnv, name, "--workers", workers, "--schedule", schedule)
			if failed := code == command.ExitFailed && strings.Contains(errs, "stale GUID"); failed != fails || !fails && code != 0 {
				t.Errorf("%s on %s workers: exit code %d, %q", schedule, workers, code, errs)
			}
		}
	}
	code, _, errs := call(t.Context(), noEnv, name, "--schedule", "replay:1r5")
	if code != command.ExitFailed || !strings.Contains(errs, "the schedule does not fit this program: move 1r5 cannot be made") {
		t.Errorf("a schedule that does not fit: exit code %d, %q", code, errs)
	}
}

// Results under a schedule are right, and say what their times are worth.
func TestScheduledResultsAreMarked(t *testing.T) {
	code, out, errs := call(t.Context(), noEnv, "synch_p2p", "-T", "3", "--samples", "1", "--warmup", "0", "--sample-time", "1us",
		"--forms", "edt", "--events", "both", "--check-grid", "--format", "json", "--schedule", "overlap:3")
	if code != 0 || !strings.Contains(out, "schedule overlap:3: EDTs ran one at a time") || !strings.Contains(out, `"edt.run"`) {
		t.Errorf("exit code %d, %q, %q", code, errs, out)
	}
}

func TestScheduleUsage(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"hello --schedule first", "--schedule first: must be fifo, lifo, random:SEED, overlap:SEED or replay:MOVES"},
		{"hello --schedule=", `--schedule "": must be fifo, lifo, random:SEED, overlap:SEED or replay:MOVES`},
		{"hello --schedule random:-1", "--schedule random:-1: the seed must be a whole number in 0..18446744073709551615"},
		{"synch_p2p --schedule replay:1x", `--schedule replay:1x: "1x" must be a move such as 7r2`},
		{"c2c --schedule fifo", "--schedule fifo: c2c cannot be run so: " + whyNotScheduled},
		{"pgas --schedule random:1", "--schedule random:1: pgas cannot be run so: " + whyNotScheduled},
		{"metg --schedule fifo", "--schedule fifo: metg cannot be run so: " + whyNotTimed},
		{"overhead --schedule fifo", "--schedule fifo: overhead cannot be run so: " + whyNotTimed},
		{"hello --schedule", "--schedule: needs a value: "},
	} {
		code, out, errs := call(t.Context(), noEnv, strings.Fields(tc.args)...)
		if code != command.ExitUsage || out != "" || !strings.HasPrefix(errs, "ocrbench: "+tc.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, %q", tc.args, code, out, errs)
		}
	}
}
