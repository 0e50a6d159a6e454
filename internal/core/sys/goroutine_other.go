//go:build !(linux && amd64)

package sys

import goruntime "runtime"

// Goroutine returns 0: unknown on this system.
func Goroutine() uintptr { return 0 }

// Stack fills pcs with numbers that no other stack of calls has, and returns their number.
func Stack(pcs []uintptr) int { return goruntime.Callers(2, pcs) }
