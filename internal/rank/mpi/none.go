//go:build !mpi

package mpi

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ocr/internal/rank"
)

// Built reports whether this build has MPI.
const Built = false

// Join returns an error that says how to build the program with MPI.
func Join() (*Job, error) { return nil, errors.New(notBuilt) }

// Serve ends the process, after rank 0 has had time to print the error.
func Serve(func(e rank.Engine)) {
	time.Sleep(3 * time.Second)
	fmt.Fprintln(os.Stderr, "mpi:", notBuilt)
	os.Exit(1)
}
