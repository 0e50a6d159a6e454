package machine

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/sys"
)

// The times of bare loops. A program's tests, which use no figures, may shorten them before the first run.
var (
	SpinAlone    = 4 * time.Millisecond  // on each of a few processors
	SpinTogether = 30 * time.Millisecond // several of the scheduler's time slices
)

const (
	mostAlone = 4      // processors that loops run on alone
	spinChunk = 20_000 // steps between two readings of the clock: about 10 us
)

// spun is the speed of bare loops.
type spun struct {
	best     pace // of one loop, while no other process interrupted it
	together pace // sum of all loops at the same time
}

// A pace is in steps a nanosecond.
type pace float64

// in returns a pace in units of another, 0 if the other is unknown.
func (p pace) in(unit pace) float64 {
	if unit == 0 {
		return 0
	}
	return float64(p / unit)
}

// spin runs a bare loop on some of the processors alone, then one on each together.
//
// The undisturbed pace is that of the best chunk, which no other process has interrupted even if the processor is
// shared; the pace of all loops together is the sum of their means.
func spin(cpus []int) spun {
	if before := goruntime.GOMAXPROCS(0); before < len(cpus) {
		goruntime.GOMAXPROCS(len(cpus))
		defer func() {
			goruntime.SetDefaultGOMAXPROCS() // the process's limits may change it, if it has its default now
			if goruntime.GOMAXPROCS(0) != before {
				goruntime.GOMAXPROCS(before)
			}
		}()
	}
	var s spun
	for i := range min(len(cpus), mostAlone) {
		cpu := cpus[i*len(cpus)/min(len(cpus), mostAlone)]
		for _, l := range spinOn([]int{cpu}, SpinAlone) {
			s.best = max(s.best, l.best)
		}
	}
	for _, l := range spinOn(cpus, SpinTogether) {
		s.best = max(s.best, l.best)
		s.together += l.mean
	}
	return s
}

// loop is the pace of one bare loop.
type loop struct{ best, mean pace }

// spinOn runs a loop on each processor for a time that begins when all have started.
func spinOn(cpus []int, during time.Duration) []loop {
	loops := make([]loop, len(cpus))
	var (
		all   sync.WaitGroup
		there atomic.Int32
	)
	for i, cpu := range cpus {
		all.Go(func() {
			if undo, err := sys.Pin(cpu); err == nil { // else the system forbids it
				defer undo()
			}
			there.Add(1)
			for int(there.Load()) < len(cpus) {
				sys.Yield() // a processor may be shared with a loop that has not started
			}
			loops[i] = run(during)
		})
	}
	all.Wait()
	return loops
}

func run(during time.Duration) loop {
	var (
		l     loop
		steps int64
		state = uint64(88172645463325252)
		begin = sys.Nanotime()
	)
	for at := begin; at-begin < int64(during); {
		state = work(state, spinChunk)
		now := sys.Nanotime()
		l.best = max(l.best, spinChunk/pace(max(now-at, 1)))
		at = now
		steps += spinChunk
		l.mean = pace(steps) / pace(at-begin)
	}
	return l
}

// work runs some steps of a random number generator, each of which depends on the one before.
//
//go:noinline
func work(x uint64, steps int) uint64 {
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}
