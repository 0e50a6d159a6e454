// Ocrbench runs, verifies, measures and explains the apps of the task-graph
// runtime. See ocrbench help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"ocr/internal/harness"
)

// sameSignal: within this time a second signal is the first one again. Shells and
// timeout(1) send an interrupt to the process and to its group.
const sameSignal = 500 * time.Millisecond

// awaitSignal waits for a signal that is not the one of time first again.
func awaitSignal(signals <-chan os.Signal, first time.Time) time.Time {
	for range signals {
		if now := time.Now(); now.Sub(first) > sameSignal {
			return now
		}
	}
	return first
}

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	s := newSession(os.Args, stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.LookupEnv)
	signals, quits := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	signal.Notify(quits, syscall.SIGQUIT)
	defer signal.Stop(quits)
	go func() {
		for range quits {
			s.inspect.Asked()
		}
	}()
	go func() {
		first := awaitSignal(signals, time.Time{})
		cancel(harness.ErrInterrupted)
		awaitSignal(signals, first) // the user does not want to wait for partial results
		os.Exit(exitInterrupted)
	}()
	return s.run(ctx)
}
