package shmem

import "fmt"

// An Error is a misuse of the layer: an offset outside a segment, a PE that does
// not exist, a world that does not fit the run. It is panicked, and so ends the run:
// runtime.Run's error unwraps to it.
type Error struct {
	Op      string // "put", "sum to all", ...
	PE      int    // that called; -1 outside of PEs
	Problem string
}

// Error returns one line.
func (e *Error) Error() string {
	if e.PE < 0 {
		return fmt.Sprintf("shmem: %s: %s", e.Op, e.Problem)
	}
	return fmt.Sprintf("shmem: %s by PE %d: %s", e.Op, e.PE, e.Problem)
}

func misuse(op string, pe int, format string, args ...any) {
	panic(&Error{Op: op, PE: pe, Problem: fmt.Sprintf(format, args...)})
}
