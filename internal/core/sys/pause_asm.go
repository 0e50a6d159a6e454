//go:build amd64 || arm64

package sys

// Pause executes the processor's spin-wait hint n times (PAUSE on amd64, YIELD on arm64), 4 to 50 ns each. Go's
// scheduler cannot interrupt it and the collector waits for it, so n should be below some thousand: loop around it in
// Go.
//
//go:noescape
func Pause(n uint32)
