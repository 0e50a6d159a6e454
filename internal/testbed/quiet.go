package testbed

import (
	goruntime "runtime"
	"runtime/debug"
	"slices"

	"ocr/runtime"
)

// NewPair returns a pool of two workers: of one rank, or one each of two.
func NewPair(ranks int) *Pool {
	return &Pool{Ranks: ranks, Workers: 2 / ranks, Bind: runtime.BindListed}
}

// On has the pool of a pair run on processors a and b, which may be the same: the first worker on a.
func (p *Pool) On(a, b int) *Pool {
	p.CPUs = slices.Compact([]int{a, b})
	return p
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
