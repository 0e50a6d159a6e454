//go:build !mpi

package mpi

import (
	"strings"
	"testing"
)

// TestNotBuilt: the error is one line, and says how to build.
func TestNotBuilt(t *testing.T) {
	_, err := Join()
	for _, why := range []string{err.Error(), Refusal(2)} {
		if !strings.Contains(why, "apt-get install libopenmpi-dev openmpi-bin, then CC=mpicc go install -tags mpi .") ||
			strings.Contains(why, "\n") {
			t.Error(why)
		}
	}
}
