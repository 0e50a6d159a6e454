package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ocr/edt"
	"ocr/runtime"
)

// An inspection tells of the graph that runs: when the user asks for it by SIGQUIT,
// and when a run makes no progress.
//
// Concurrency: runs has its own lock. The flags are set before the first run. mu is
// held while a snapshot is written, so that two are not mixed.
type inspection struct {
	runs runtime.Inspector
	err  io.Writer

	stall    time.Duration // --watchdog; 0 for none
	long     bool          // EDTs keep their workers for as long as they measure: no stall is told unasked
	dump     *sink         // --dump; nil for none
	dumpPath string

	mu sync.Mutex
	// stalled has the first stall of all runs reported, where no --watchdog is asked for.
	stalled sync.Once
}

type inspectionKey struct{}

// inspectable gives a context an inspection, unless it has one.
func inspectable(ctx context.Context, err io.Writer) (context.Context, *inspection) {
	if x := inspectionOf(ctx); x != nil {
		return ctx, x
	}
	x := &inspection{err: err}
	return context.WithValue(ctx, inspectionKey{}, x), x
}

// inspectionOf returns what looks at the runs of a context, nil for nothing.
func inspectionOf(ctx context.Context) *inspection {
	x, _ := ctx.Value(inspectionKey{}).(*inspection)
	return x
}

// expectLong is for commands whose EDTs poll each other for a whole measurement.
func (x *inspection) expectLong() {
	if x != nil {
		x.long = true
	}
}

// options has a run looked at.
func (x *inspection) options() []runtime.Option {
	if x == nil {
		return nil
	}
	var watch runtime.Watch
	if !x.long {
		watch = runtime.DefaultWatch
	}
	watch.Report = func(s runtime.Stall) { x.stalled.Do(func() { x.write(s.String()) }) }
	if x.stall > 0 {
		watch = runtime.Watch{Still: x.stall, Report: func(s runtime.Stall) {
			x.tell(fmt.Sprintf("no EDT has begun for %v:", s.For.Round(time.Millisecond)), s.Snapshot)
		}}
	}
	return []runtime.Option{runtime.Inspect(&x.runs), runtime.Watchdog(watch)}
}

// asked tells of the run that is on, because the user has asked.
func (x *inspection) asked() {
	s := x.runs.Snapshot()
	if s == nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.write("no graph is running\n")
		return
	}
	x.tell("the graph that is running:", s)
}

// tell writes a snapshot, and the picture of it where one is asked for.
func (x *inspection) tell(head string, s *edt.Snapshot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.write(head + "\n" + s.String())
	if x.dump == nil {
		return
	}
	if err := x.dump.stream(s.DOT); err != nil {
		x.write(fmt.Sprintf("--dump %s: %v\n", plain(x.dumpPath), err))
	}
}

// write writes to standard error at once, in place of a line about progress.
func (x *inspection) write(text string) {
	var b bytes.Buffer
	if isTerminal(x.err) {
		b.WriteString(clearLine)
	}
	b.WriteString("ocrbench: " + text)
	_, _ = x.err.Write(b.Bytes())
}

// inspectFlags gives an app's command --watchdog and --dump.
func (s *session) inspectFlags(cmd *cobra.Command) {
	var stall time.Duration
	var dump string
	fs := cmd.Flags()
	fs.Var(&span{&stall, time.Millisecond, 24 * time.Hour}, "watchdog", "tell what runs and what waits for what, on standard error, when no EDT begins for that long; SIGQUIT tells it at any time")
	fs.Lookup("watchdog").DefValue = ""
	fs.StringVar(&dump, "dump", "", "draw what --watchdog or SIGQUIT tells in `FILE`, for Graphviz; the latest stays")
	twin(fs, "watchdog", "dump")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		x := inspectionOf(cmd.Context())
		x.stall = stall
		if stall > 0 && cmd.Flags().Changed("schedule") {
			return usagef("%s: cannot be had together with --schedule", s.source(cmd, "watchdog"))
		}
		if dump == "" && cmd.Flags().Changed("dump") {
			return usagef(`--dump "": must be a file`)
		}
		if dump != "" {
			if err := x.dumpTo(s, cmd, dump); err != nil {
				return err
			}
		}
		return run(cmd, args)
	}
}

// dumpTo resolves --dump.
func (x *inspection) dumpTo(s *session, cmd *cobra.Command, path string) error {
	what := s.source(cmd, "dump")
	k, err := fileSink(what, path)
	switch {
	case err != nil:
		return err
	case k.pipe != nil:
		_ = k.pipe.Close()
		return usagef("%s %s: must be a file, not a pipe: it is written several times", what, plain(path))
	}
	for _, name := range []string{"output", "trace", "dot", "svg", "matrix"} {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || flag.Value.String() == "" {
			continue
		}
		other := &sink{path: flag.Value.String(), replace: true}
		if target, err := filepath.EvalSymlinks(other.path); err == nil {
			other.path = target
		}
		if k.same(other) {
			return usagef("%s %s: --%s names the same file", what, plain(path), name)
		}
	}
	x.dump, x.dumpPath = k, path
	return nil
}
