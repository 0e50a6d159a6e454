package harness

import (
	goruntime "runtime"
	"runtime/debug"
	"slices"

	"ocr/runtime"
)

// NewPair returns a pool of two workers, the first on processor a, the second on b. They
// may be the same.
func NewPair(a, b int) *Pool {
	return &Pool{Ranks: 1, Workers: 2, CPUs: slices.Compact([]int{a, b}), Bind: runtime.BindListed}
}

// Uncollected runs f without garbage collections that nobody asks for.
func Uncollected(f func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
}

// SpareProcessor gives Go's scheduler a processor more than two polling threads take, as
// the runtime does, so that every form has it. undo reverses that.
func SpareProcessor() (undo func()) {
	before := goruntime.GOMAXPROCS(max(3, goruntime.GOMAXPROCS(0)))
	return func() { goruntime.GOMAXPROCS(before) }
}
