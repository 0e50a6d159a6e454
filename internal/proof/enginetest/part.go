package enginetest

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/rank"
)

// A place is words in memory that all ranks share, by which they synchronize without their engines. All accesses are
// atomic.
type place struct {
	words []uint64
	ranks int
}

// The words of a rank.
const (
	metAll    = iota // how often the rank has called meet
	metPeer          // how often it has called meetPeer
	handledOf        // how many of its messages the receivers have handled in a test
	tally            // a counter that all ranks use, in the words of rank 0
	kinds
)

// PlaceWords returns the number of words that the tests of a job need.
func PlaceWords(ranks int) int { return kinds * ranks }

func newPlace(words []uint64, ranks int) *place { return &place{words, ranks} }

func (p *place) word(kind, rank int) *uint64 { return &p.words[rank*kinds+kind] }

func (p *place) load(kind, rank int) uint64 { return atomic.LoadUint64(p.word(kind, rank)) }

// A part is one rank in a test.
type part struct {
	*testing.T
	rank.Engine
	place *place
	polls sync.Mutex // of pollUntil
}

// pause lets other threads run. tries is how often the caller has tried.
func (p *part) pause(tries int) {
	if tries < 200 {
		goruntime.Gosched()
		return
	}
	time.Sleep(20 * time.Microsecond) // the other ranks may be processes that wait for this processor
}

// meet waits until all ranks have called it.
func (p *part) meet() {
	n := atomic.AddUint64(p.place.word(metAll, p.Rank()), 1)
	for k := range p.Size() {
		p.await(metAll, k, n)
	}
}

// meetPeer waits until the peer has called it too.
func (p *part) meetPeer(peer int) {
	p.await(metPeer, peer, atomic.AddUint64(p.place.word(metPeer, p.Rank()), 1))
}

func (p *part) await(kind, rank int, least uint64) {
	for tries := 0; p.place.load(kind, rank) < least; tries++ {
		p.pause(tries)
	}
}

// handles counts a message of another rank, at the end of its handler.
func (p *part) handles(from int) { atomic.AddUint64(p.place.word(handledOf, from), 1) }

// checkHandled checks that no message to a rank counts as handled before its handler has ended.
func (p *part) checkHandled(to int) {
	if n, ended := p.Handled(to), p.place.load(handledOf, p.Rank()); n > ended {
		p.Errorf("%d messages are handled, the handlers of %d have ended", n, ended)
	}
}

// A handler handles a message; it cannot refuse it.
type handler func(from int, m *rank.Message)

// taking makes a function for Poll that lets h handle every message.
func taking(h handler) func(from int, m *rank.Message) bool {
	return func(from int, m *rank.Message) bool {
		h(from, m)
		return true
	}
}

// forbidden is the handler if no message may arrive.
func (p *part) forbidden() handler {
	return func(from int, m *rank.Message) { p.Errorf("message %v from rank %d", m, from) }
}

// pollUntil polls until done is true. Several goroutines of a rank may call it; one polls at a time.
func (p *part) pollUntil(done func() bool, handle handler) {
	for tries := 0; !done(); tries++ {
		if p.polls.TryLock() {
			if p.Poll(64, taking(handle)) > 0 {
				tries = 0
			}
			p.polls.Unlock()
		}
		p.pause(tries)
	}
}
