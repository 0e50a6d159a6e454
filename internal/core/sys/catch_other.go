//go:build !(linux && amd64)

package sys

import goruntime "runtime"

// catchFaults does nothing: on this system a fault ends the process, or is a panic on
// goroutines that debug.SetPanicOnFault was called on.
func catchFaults() bool { return false }

// Goroutine returns 0: unknown on this system.
func Goroutine() uintptr { return 0 }

// Stack fills pcs with numbers that no other stack of calls has, and returns how many they are.
func Stack(pcs []uintptr) int { return goruntime.Callers(2, pcs) }
