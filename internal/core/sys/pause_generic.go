//go:build !amd64 && !arm64

package sys

// Pause spins for n short turns, as Go has no hint for this processor.
func Pause(n uint32) {
	for range n {
		turn()
	}
}

//go:noinline
func turn() {}
