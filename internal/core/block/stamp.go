package block

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/internal/core/relaxed"
)

// A block that several ranks use in place orders their calls. An EDT that gives up a hold leaves a *stamp* in the
// record: its rank, and how many strong messages that has sent by then. The next EDT is not ready before these are
// handled, see docs/ranks.md, "Blocks in place".
//
// Concurrency: a holder in a mode other than RO that has run stores the stamp, and then gives up its hold by a
// compare-and-swap. If the class has had one holder, that compare-and-swap shows that it still had, so no other has
// stored one meanwhile. Several holders of one rank raise the stamp by a compare-and-swap each; those of several ranks
// all store severalRanks. A new holder loads the stamp after it has got the block. Stamps that holders in the same
// class have stored since then say as much or more.

// A Said counts the strong messages of one rank. They are handled in the order in which they were sent, so a number
// says which are.
//
// Concurrency: its rank stores Sent. The rank that handles a message stores Handled: no two do at a time, unless a
// handler has ended the run.
type Said struct {
	Sent    uint64
	_       [120]byte
	Handled uint64
	_       [120]byte
}

// A Stamp says which messages must be handled first: the first so many of a rank, 0 for none.
type Stamp uint64

const (
	stampRank    = 48 // the rank plus one is in the bits from here on, and the number below
	severalRanks = ^Stamp(0)
)

// Said returns the count of a rank.
func (s *Shared) Said(rank int) *Said { return s.said[rank] }

// By returns the stamp of a rank with what it has sent by now.
func (s *Shared) By(rank int) Stamp {
	return Stamp(rank+1)<<stampRank | Stamp(atomic.LoadUint64(&s.said[rank].Sent))
}

// now returns the stamp of the store's rank.
func (s *Store) now() Stamp { return s.mine | Stamp(atomic.LoadUint64(&s.said.Sent)) }

// Clear reports whether the messages of a stamp of one rank are handled.
func (s *Shared) Clear(k Stamp) bool {
	return uint64(k&(1<<stampRank-1)) <= atomic.LoadUint64(&s.said[k>>stampRank-1].Handled)
}

// stamp leaves a stamp for the holder in mode m that is about to leave a block with this state.
func (s *Store) stamp(r *Record, state uint64, m datablock.Mode) {
	if m == datablock.RO || s.shared == nil {
		return
	}
	k := s.now()
	switch {
	case state&mixed != 0:
		k = severalRanks
	case state&(joined|classMask) != classOne:
		r.raise(k)
		return
	}
	relaxed.Store64(&r.stamp, uint64(k))
}

// raise leaves a stamp, unless there is a later one of its rank.
func (r *Record) raise(k Stamp) {
	for {
		was := Stamp(atomic.LoadUint64(&r.stamp))
		if was>>stampRank == k>>stampRank && was >= k || atomic.CompareAndSwapUint64(&r.stamp, uint64(was), uint64(k)) {
			return
		}
	}
}

// LeaveKnownRW releases a block that several ranks know and use in place, held in mode RW by one EDT, which has run. It
// fails if others hold the block, or the block has a queue or is destroyed.
func (l *Local) LeaveKnownRW(r *Record) bool {
	old := atomic.LoadUint64(&r.state)
	if old&^foreign != readOne+classOne {
		return false
	}
	relaxed.Store64(&r.stamp, uint64(l.store.now()))
	return atomic.CompareAndSwapUint64(&r.state, old, readOne)
}

// Mixed reports whether a block has had holders of several ranks at a time since the caller got it, or several of one
// rank that is not home, in mode RW or Const.
func (r *Record) Mixed() bool { return atomic.LoadUint64(&r.state)&mixed != 0 }

// Private reports whether a block is of this rank, no other rank knows it, and no EDT has it in mode RO.
func (r *Record) Private() bool { return atomic.LoadUint64(&r.state)&(readMask|joined|proxy) == 0 }

// Unmixed returns the stamp of a block, and whether Mixed would report false.
func (r *Record) Unmixed() (k Stamp, ok bool) { return Stamp(atomic.LoadUint64(&r.stamp)), !r.Mixed() }

// Passes reports whether the messages of a stamp of one rank are handled, or that is this rank.
func (l *Local) Passes(k Stamp) bool {
	return k == 0 || k>>stampRank == l.store.mine>>stampRank || k != severalRanks && l.store.shared.Clear(k)
}

// Before appends the stamps that must be clear before an EDT of a rank begins that has got the block in mode m.
// Messages of its own rank are in order, unless EDTs of other ranks can see at once what it writes.
func (s *Shared) Before(r *Record, rank int, m datablock.Mode, all []Stamp) []Stamp {
	k, sees := Stamp(atomic.LoadUint64(&r.stamp)), m == datablock.RW && r.Mixed()
	if k != severalRanks && !sees {
		if k != 0 && k>>stampRank != Stamp(rank+1) && !s.Clear(k) {
			all = append(all, k)
		}
		return all
	}
	for other := range s.said {
		if k = s.By(other); (other != rank || sees) && !s.Clear(k) {
			all = append(all, k)
		}
	}
	return all
}
