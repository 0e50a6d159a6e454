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

// Force says so if ranks of one machine cannot be had over MPI: here they never can.
func Force() error { return errNotBuilt() }

// Join says how the program gets MPI.
func Join(int) (*Job, error) { return nil, errNotBuilt() }

// Serve ends the process. Rank 0 has the time to say why.
func Serve(func(e rank.Engine, area []byte) int) {
	time.Sleep(3 * time.Second)
	fmt.Fprintln(os.Stderr, errNotBuilt())
	os.Exit(1)
}
