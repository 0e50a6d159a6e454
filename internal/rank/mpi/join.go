//go:build mpi

package mpi

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/local"
)

var errNotStarted = errors.New("mpi: this process was not started by mpirun or srun, as in: mpirun -n 2 PROGRAM")

var (
	forced atomic.Bool
	joined atomic.Bool
)

// Force makes the ranks of one machine exchange messages over MPI too. Rank 0 calls it before Join.
func Force() error {
	if launched == nil {
		return errNotStarted
	}
	forced.Store(true)
	return nil
}

// Join initializes MPI, and returns this rank's part of the job. Every rank calls it once: the processes have one job.
func Join() (*Job, error) {
	switch {
	case launched == nil:
		return nil, errNotStarted
	case joined.Swap(true):
		return nil, errors.New("mpi: the ranks that mpirun has started have ended with the job before")
	}
	w := newWatch()
	p, err := initialize()
	if err != nil {
		return nil, err
	}
	return p.join(anyMachine, w)
}

// join makes this rank's part: rings to the ranks of its machine, unless rank 0 wants none, and MPI to the others.
func (p *process) join(machine int, w *watch) (*Job, error) {
	beside, name := p.meet(machine, forced.Load())
	j := &Job{Name: "mpi"}
	var n *neighbours
	var far *Engine
	if len(beside) > 1 {
		var err error
		if n, err = p.settle(beside, name); err != nil {
			return nil, err
		}
		j.Name, j.Engine = "ring", n.engine
	}
	if len(beside) < p.ranks {
		var err error
		if far, err = p.open(); err != nil {
			return nil, err
		}
		j.Name, j.Engine = "mpi", far
		if n != nil {
			j.Engine = newMixed(far, n)
		}
	}
	lose := func(loss *rank.LostError) {
		if far != nil {
			far.Lose(loss)
		}
		if n != nil {
			n.lose(loss)
		}
		if p.rank != 0 {
			time.AfterFunc(local.Grace, func() { os.Exit(1) })
		}
	}
	if n != nil {
		n.watch(lose)
	}
	w.call(func(why string) { lose(&rank.LostError{Rank: p.rank, Why: why}) })
	j.end = func() error {
		defer w.call(nil)
		if err := j.Engine.Close(); err != nil {
			return err // without the lost rank MPI cannot be ended
		}
		if n != nil {
			n.end()
		}
		return nil
	}
	j.finish = func() {
		p.end()
		w.stop()
	}
	return j, nil
}

// Serve runs a rank other than 0: it calls serve with the engine. serve returns the exit
// code once rank 0 has ended the job, or the engine is lost. Serve exits with that and does not return.
func Serve(serve func(e rank.Engine) int) {
	j, err := Join()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := serve(j.Engine)
	if err := j.Close(); err != nil {
		code = 1 // rank 0 prints the error
	}
	os.Exit(code)
}
