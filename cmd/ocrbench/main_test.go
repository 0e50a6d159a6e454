package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ocr/internal/command"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) {
	if signal.Ignored(syscall.SIGHUP) { // under nohup: programs that are started would ignore it too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	apps = append(apps, testApps...)
	testscript.Main(m, map[string]func(){"ocrbench": main})
}

// call runs the command in this process.
func call(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	return callTelling(ctx, nil, args...)
}

func callTelling(ctx context.Context, progress func(bench.Progress), args ...string) (int, string, string) {
	var out, errs strings.Builder
	p := command.New(apps, append([]string{"ocrbench"}, args...), &out, &errs)
	p.Console.Hear = progress
	return p.Run(ctx), out.String(), errs.String()
}

// callInterrupted runs the command in this process and interrupts it once each side has had two samples.
func callInterrupted(t *testing.T, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancelCause(t.Context())
	return callTelling(ctx, func(p bench.Progress) {
		if !p.Warmup && p.Done == 2 {
			cancel(testbed.ErrInterrupted)
		}
	}, args...)
}

// callInterruptedInside runs the command and interrupts it 50 ms after a sample has begun, one that would take hours.
func callInterruptedInside(t *testing.T, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancelCause(t.Context())
	return callTelling(ctx, func(bench.Progress) {
		time.AfterFunc(50*time.Millisecond, func() { cancel(testbed.ErrInterrupted) })
	}, args...)
}

// document is what tests read of the JSON layout.
type document struct {
	App               string
	Config            map[string]any
	Verified, Partial bool
	Results           []struct {
		Name    string
		Metrics map[string]struct{ N int }
	}
	Counters map[string]uint64
}

func decode(t *testing.T, text string) document {
	t.Helper()
	var d document
	testrun.OK(t, json.Unmarshal([]byte(text), &d), "in %s", text)
	return d
}
