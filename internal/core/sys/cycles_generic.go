//go:build !amd64 && !arm64

package sys

// Cycles is [Nanotime]: this processor has no counter that Go can read.
func Cycles() int64 { return Nanotime() }
