//go:build !mpi

package mpi

import (
	"strings"
	"testing"
)

// TestNotBuilt: the error is one line, and says how to build.
func TestNotBuilt(t *testing.T) {
	_, err := Join()
	for _, err := range []error{err, Force()} {
		if err == nil || !strings.Contains(err.Error(), "CC=mpicc go build -tags mpi") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
}
