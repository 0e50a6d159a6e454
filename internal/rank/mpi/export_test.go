//go:build mpi

package mpi

// LoseAfter sets after how many pings without an answer a rank is lost.
func LoseAfter(pings int32) { pingLimit = pings }
