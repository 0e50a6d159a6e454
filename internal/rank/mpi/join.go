//go:build mpi

package mpi

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"ocr/internal/rank"
)

// Built reports whether this build has MPI.
const Built = true

var (
	joined  atomic.Bool
	failure error // of the first Join
)

// Join initializes MPI, and returns this rank's part of the job. A process can join one job, once: later calls return
// an error, that of the first call if it has failed. Calls must not overlap.
func Join() (j *Job, err error) {
	if joined.Swap(true) {
		return nil, cmp.Or(failure, errors.New("the ranks that mpirun has started have ended with the run before: "+
			"for several runs make a pool of ranks"))
	}
	stop := watchJob()
	defer func() {
		if failure = err; err != nil {
			stop()
		}
	}()
	p, err := initialize()
	if err != nil {
		return nil, err
	}
	e, err := p.open()
	if err != nil {
		return nil, err
	}
	return &Job{Engine: e, end: func() {
		p.end()
		stop()
	}}, nil
}

// Serve is for ranks other than 0: it joins the job and calls serve with the engine. Then it closes the job, and ends
// the process.
func Serve(serve func(e rank.Engine)) {
	j, err := Join()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mpi:", err)
		os.Exit(1)
	}
	serve(j.Engine)
	j.Close()
	os.Exit(0)
}
