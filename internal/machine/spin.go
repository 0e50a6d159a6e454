package machine

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/sys"
)

// How long bare loops run, and how often they look at the clock.
const (
	spinAlone    = 4 * time.Millisecond  // on each of a few processors
	spinTogether = 30 * time.Millisecond // several of the scheduler's time slices
	mostAlone    = 4                     // processors that loops run on alone
	spinChunk    = 20_000                // steps between two looks at the clock: about 10 us
)

// spun is what bare loops got done.
type spun struct {
	alone    float64 // the best that one loop did, steps a nanosecond
	together float64 // the sum of what all did at the same time
}

// capacity returns what the loops did together in units of what one does alone.
func (s spun) capacity(alone float64) float64 {
	if alone == 0 {
		return 0
	}
	return s.together / alone
}

// spin runs a bare loop on some of the processors alone, then one on each together.
//
// What a loop does alone is taken from its best chunk, which no other process has
// interrupted even if the processor is shared; what the loops do together is all that
// they did in a time. So processes that take turns with the loops lower the capacity, and
// so do processors that share a core or a hypervisor's thread.
func spin(cpus []int) spun {
	if before := goruntime.GOMAXPROCS(0); before < len(cpus) {
		goruntime.GOMAXPROCS(len(cpus))
		defer func() {
			goruntime.SetDefaultGOMAXPROCS() // which follows the process's limits, if it is what there was
			if goruntime.GOMAXPROCS(0) != before {
				goruntime.GOMAXPROCS(before)
			}
		}()
	}
	var s spun
	for i := range min(len(cpus), mostAlone) {
		cpu := cpus[i*len(cpus)/min(len(cpus), mostAlone)]
		for _, l := range spinOn([]int{cpu}, spinAlone) {
			s.alone = max(s.alone, l.best)
		}
	}
	for _, l := range spinOn(cpus, spinTogether) {
		s.alone = max(s.alone, l.best)
		s.together += l.mean
	}
	return s
}

// loop is what one bare loop did, in steps a nanosecond.
type loop struct{ best, mean float64 }

// spinOn runs a loop on each processor for a time that begins when all are there.
func spinOn(cpus []int, during time.Duration) []loop {
	loops := make([]loop, len(cpus))
	var (
		all   sync.WaitGroup
		there atomic.Int32
	)
	for i, cpu := range cpus {
		all.Go(func() {
			if undo, err := sys.Pin(cpu); err == nil { // else the system does not let it
				defer undo()
			}
			there.Add(1)
			for int(there.Load()) < len(cpus) {
				sys.Yield() // a processor may be shared with a loop that is not there yet
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
		l.best = max(l.best, spinChunk/float64(max(now-at, 1)))
		at = now
		steps += spinChunk
		l.mean = float64(steps) / float64(at-begin)
	}
	return l
}

// work does some steps of a random number generator, each of which needs the one before.
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
