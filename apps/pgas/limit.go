package pgas

import (
	"sync/atomic"
	"time"
)

// A limit ends a timed part that takes longer than MaxTime, after the same number of
// iterations on all PEs. N is cut into legs. Before a leg a PE claims it; one that finds that the time
// is over has all PEs stop at the furthest leg that anyone has claimed.
//
// Concurrency: all PEs use it, a few times in a timed part. The word has the furthest claim,
// and is negative once it is final.
type limit struct {
	over atomic.Int64 // when the time is over, see now; 0 while the timed part has not begun
	word atomic.Int64
	_    [112]byte
}

// legs is how often the time is looked at.
const legs = 16

// begin starts the time for all PEs, by the first of them. No time is no limit.
func (l *limit) begin(allowed time.Duration) {
	if allowed > 0 {
		l.over.CompareAndSwap(0, now()+int64(allowed))
	}
}

// extend returns up to which of n iterations a PE that has done so many is to go: done itself if
// it is at its end. claims says that the PE's claims bind the others.
func (l *limit) extend(p *plan, done, n int, claims bool) int {
	over := l.over.Load()
	if over == 0 || !claims {
		return n
	}
	next := min(done+p.whole((n+legs-1)/legs), n)
	for {
		word := l.word.Load()
		switch furthest := int(word); {
		case word < 0:
			return max(min(next, -furthest), done)
		case done == n:
			return n
		case done > 0 && now() > over:
			if l.word.CompareAndSwap(word, -word) {
				return max(min(next, furthest), done)
			}
		case next <= furthest || l.word.CompareAndSwap(word, int64(next)):
			return next
		}
	}
}
