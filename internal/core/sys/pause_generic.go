//go:build !amd64 && !arm64

package sys

// Pause spins for n short turns; this processor has no hint for it in Go.
func Pause(n uint32) {
	for range n {
		turn()
	}
}

//go:noinline
func turn() {}
