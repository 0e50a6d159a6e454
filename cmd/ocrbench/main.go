// Ocrbench runs, verifies, measures and explains the apps of the task-graph
// runtime. See ocrbench help.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is the cause of a run's end where the user ended it.
var errInterrupted = errors.New("interrupted")

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		<-signals
		cancel(errInterrupted)
		<-signals // the user does not want to wait for partial results
		os.Exit(exitInterrupted)
	}()
	return run(ctx, os.Args, stdio{os.Stdin, os.Stdout, os.Stderr}, os.LookupEnv)
}
