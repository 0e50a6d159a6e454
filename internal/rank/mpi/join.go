//go:build mpi

package mpi

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"ocr/internal/rank"
)

var (
	forced atomic.Bool
	joined atomic.Bool
)

// Force has ranks of one machine send each other messages over MPI too. Rank 0 calls it before it joins.
func Force() error {
	if launched == nil {
		return errNotStarted
	}
	forced.Store(true)
	return nil
}

// Join begins MPI, and returns this rank's part. All ranks do that, once: there is no second job of the same processes.
func Join() (*Job, error) {
	switch {
	case launched == nil:
		return nil, errNotStarted
	case joined.Swap(true):
		return nil, errors.New("mpi: the ranks that mpirun has started have ended with the job before")
	}
	p, err := initialize()
	if err != nil {
		return nil, err
	}
	e, err := p.open()
	if err != nil {
		return nil, err
	}
	stop := e.watchSignals()
	return &Job{Engine: e, Name: "mpi", end: func() error {
		defer stop()
		if err := e.Close(); err != nil {
			return err // without the lost rank MPI cannot be ended
		}
		p.end()
		return nil
	}}, nil
}

// grace is what a rank gets to end by itself when the job is lost.
const grace = time.Second

// watchSignals has mpirun's signal to end, which it sends all ranks if one of them is gone, be the loss of a rank.
func (e *Engine) watchSignals() (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			e.Lose(errors.New("mpi: mpirun has told this rank to end: another one is gone, see its message"))
			time.AfterFunc(grace, func() { os.Exit(1) })
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// Serve has this rank, which is not rank 0, take its part: serve gets the engine, and returns the exit code
// when rank 0 has said that all is over, or when the engine is lost. Serve does not return.
func Serve(serve func(e rank.Engine) int) {
	j, err := Join()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := serve(j.Engine)
	if err := j.Close(); err != nil {
		code = 1 // rank 0 says why
	}
	os.Exit(code)
}
