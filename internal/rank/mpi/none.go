//go:build !mpi

package mpi

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ocr/internal/rank"
)

func errNotBuilt() error {
	return errors.New("mpi: this program was built without MPI; build it by: CC=mpicc go build -tags mpi")
}

// Force returns an error, since this build has no MPI.
func Force() error { return errNotBuilt() }

// Join returns an error that says how to build the program with MPI.
func Join() (*Job, error) { return nil, errNotBuilt() }

// Serve ends the process, once rank 0 has had the time to print the error.
func Serve(func(e rank.Engine) int) {
	time.Sleep(3 * time.Second)
	fmt.Fprintln(os.Stderr, errNotBuilt())
	os.Exit(1)
}
