package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ocr/edt"
	"ocr/edt/edttest"
)

// schedulable are the apps whose graphs can run one EDT at a time: none of their
// EDTs waits for another one while it runs.
var schedulable = map[string]bool{synchName: true, hello.name: true, taskbenchName: true}

// whyNotScheduled is why apps whose EDTs share blocks while they run cannot, and
// whyNotTimed why those cannot that only measure.
const (
	whyNotScheduled = "its EDTs wait for each other while they run, and a schedule runs them one at a time"
	whyNotTimed     = "it only measures times, which mean nothing under a schedule"
)

func whyNot(app string) string {
	if app == metgName || app == overheadName {
		return whyNotTimed
	}
	return whyNotScheduled
}

// scheduleKey is where a command's context holds the schedule that was asked for.
type scheduleKey struct{}

// scheduleFlag gives an app's command --schedule. The other apps have the flag as
// well, to say why they cannot have it.
func (s *session) scheduleFlag(cmd *cobra.Command) {
	var text string
	cmd.Flags().StringVar(&text, "schedule", "",
		"run EDTs one at a time by `SCHEDULE`: fifo, lifo, random:SEED, overlap:SEED, replay:MOVES (times mean nothing)")
	able := schedulable[cmd.Name()]
	cmd.Flags().Lookup("schedule").Hidden = !able
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("schedule") {
			return run(cmd, args)
		}
		if !able {
			return usagef("--schedule %s: %s cannot be run so: %s", plain(text), cmd.Name(), whyNot(cmd.Name()))
		}
		schedule, err := edttest.ParseSchedule(text)
		var bad *edttest.ScheduleError
		if errors.As(err, &bad) {
			return usagef("--schedule %s: %s", plain(text), bad.Reason)
		}
		cmd.SetContext(context.WithValue(cmd.Context(), scheduleKey{}, schedule))
		return run(cmd, args)
	}
}

// scheduleOf returns the schedule that was asked for, if one was.
func scheduleOf(ctx context.Context) (edttest.Schedule, bool) {
	s, ok := ctx.Value(scheduleKey{}).(edttest.Schedule)
	return s, ok
}

// runScheduled runs a graph by a schedule, on pretended workers.
func (p *pool) runScheduled(ctx context.Context, s edttest.Schedule, main edt.Func, g *graphRun, argv []string) error {
	w := watchOf(ctx)
	h := s.Host(edt.Config{Workers: p.workers, Observe: edt.ObserveAll(w.observers(p.workers)...)})
	defer h.Graph.Close()
	err := h.RunContext(ctx, main, argv...)
	w.ended(nil, err)
	if g != nil {
		*g = graphRun{
			counters: h.Graph.Counters().Map(),
			warnings: []string{"schedule " + s.String() + ": EDTs ran one at a time, on pretended workers: times mean nothing"},
		}
	}
	return err
}
