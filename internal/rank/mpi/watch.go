//go:build mpi

package mpi

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

var parent = os.Getppid()

const (
	parentLook = 200 * time.Millisecond // the time between two checks of the parent
	lastWords  = time.Second            // how long the program may run on after SIGTERM
)

// watchJob ends this process if the job ends early, until stop is called. If a rank has ended, mpirun says so and sends
// SIGTERM to the others. If mpirun itself or its daemon on this machine is killed, there is no signal, but this process
// gets another parent.
func watchJob() (stop func()) {
	done := make(chan struct{})
	go endWithJob(done)
	return func() { close(done) }
}

func endWithJob(done chan struct{}) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	defer signal.Stop(signals)
	looks := time.NewTicker(parentLook)
	defer looks.Stop()
	var late <-chan time.Time
	for {
		select {
		case <-done:
			return
		case <-signals:
			late = time.After(lastWords)
		case <-late:
			os.Exit(1)
		case <-looks.C:
			if os.Getppid() != parent {
				fmt.Fprintln(os.Stderr, "mpi: mpirun has ended")
				os.Exit(1)
			}
		}
	}
}
