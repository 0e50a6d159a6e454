package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// An inbox holds messages: the EDTs that other workers, and the poller, place on this worker. It is a ring with many
// senders and one receiver. A message costs the receiver one cache line: that of its position.
//
// Concurrency:
//
//  1. A sender claims a position by a compare-and-swap on tail.
//  2. It stores the message there with the parity of the lap: so the receiver can tell the message from one of the lap
//     before.
//  3. The receiver polls the position at head. It never writes to the ring.
//  4. The receiver publishes head in freed a few times a lap. A sender reads freed only if the ring looks full by seen,
//     the value of freed that a sender read last.
//  5. A message that does not fit goes to the overflow list, under its lock.
//
// Any goroutine may set mailBit in overflow.count: the owner then looks for mail from outside the pool (see pool.ring).
//
// The receiver can take a message once it is stored (2). A sender between (1) and (2) delays only later messages, and
// the run does not end meanwhile: the claim (1) counts as a message. In the wake-up protocol of README.md the sender's
// store is the claim: a worker that parks compares tail with freed.
type inbox struct {
	tail  word.Uint64 // senders write it
	seen  word.Uint64 // the value of freed that a sender read last
	_     [48]byte
	head  uint64       // the receiver's: the position that it polls
	at    *word.Uint64 // the receiver's: the word at head
	stale uint64       // the receiver's: the mark of the lap before
	freed word.Uint64  // the receiver writes it: positions below may be claimed again
	_     [32]byte

	mask uint64
	ring []word.Uint64

	overflow struct {
		count word.Int64 // the length of list, plus the bits defined below
		mu    word.Mutex
		list  []edt.Ready
	}
	_ [64]byte
}

// Bits of overflow.count.
const (
	mailBit   = 1 << 60 // look for mail
	closedBit = 1 << 61 // the run is over
	haltBit   = 1 << 62 // the pool is halted, see halt.go
)

// lapBit marks messages of even laps; edt.Ready does not use the bit.
const lapBit = 1 << 63

func (in *inbox) init(capacity int) {
	in.mask = uint64(capacity - 1)
	in.ring = make([]word.Uint64, capacity)
	in.turnTo(0)
}

// turnTo makes the receiver poll position p. Owner only.
func (in *inbox) turnTo(p uint64) {
	in.head, in.at, in.stale = p, &in.ring[p&in.mask], in.lap(p)^lapBit
}

// lap returns the mark of the lap of position p. It differs from the mark of the lap before and, in the first lap, from
// that of the empty ring.
func (in *inbox) lap(p uint64) uint64 {
	if p&(in.mask+1) == 0 {
		return lapBit
	}
	return 0
}

// send puts an EDT into the inbox. Any goroutine but the owner's may call it.
func (in *inbox) send(k edt.Ready) {
	for {
		p := in.tail.Load()
		if p-in.seen.Load() > in.mask {
			freed := in.freed.Load()
			// p may be old, and below freed: then the claim below fails.
			if int64(p-freed) > int64(in.mask) {
				in.sendOverflow(k)
				return
			}
			in.seen.Store(freed)
		}
		if in.tail.CompareAndSwap(p, p+1) {
			in.ring[p&in.mask].Store(uint64(k) | in.lap(p))
			return
		}
	}
}

func (in *inbox) sendOverflow(k edt.Ready) {
	in.overflow.mu.Lock()
	defer in.overflow.mu.Unlock()
	in.overflow.list = append(in.overflow.list, k)
	in.overflow.count.Add(1)
}

// arrived is not 0 if v, read at the polled position, is a message of this lap. An empty position and a message of the
// lap before have the stale mark.
func (in *inbox) arrived(v uint64) uint64 { return (v ^ in.stale) / lapBit }

// signs is 0 if there is no message to receive, no hint of mail, no halt, and the inbox is open. Owner only.
func (in *inbox) signs() uint64 {
	return in.arrived(in.at.Load()) | uint64(in.overflow.count.Load())
}

// close makes signs not 0, so that the owner sees that the run is over.
func (in *inbox) close() { in.overflow.count.Or(closedBit) }

// hint tells the owner that there may be mail. Any goroutine may call it.
func (in *inbox) hint() {
	if in.overflow.count.Load()&mailBit == 0 {
		in.overflow.count.Or(mailBit)
	}
}

// takeHint clears the hint. The owner calls it before it looks for mail: if the owner does not see a letter, the
// letter's sender sets the hint again.
func (in *inbox) takeHint() { in.overflow.count.And(^mailBit) }

// receive takes the next message, 0 if there is none. Owner only.
func (in *inbox) receive() edt.Ready {
	v := in.at.Load()
	if in.arrived(v) == 0 {
		if in.overflow.count.Load()&(mailBit-1) == 0 {
			return 0
		}
		return in.receiveOverflow()
	}
	if in.head&(in.mask>>2) == 0 {
		in.freed.Store(in.head) // not head+1: until settle this message counts as unread
	}
	in.turnTo(in.head + 1)
	return edt.Ready(v &^ lapBit)
}

func (in *inbox) receiveOverflow() edt.Ready {
	in.overflow.mu.Lock()
	defer in.overflow.mu.Unlock()
	last := len(in.overflow.list) - 1
	if last < 0 {
		return 0
	}
	k := in.overflow.list[last]
	in.overflow.list = in.overflow.list[:last]
	in.overflow.count.Add(-1)
	return k
}

// clear drops the messages, and opens the inbox again. It is called between two runs, when no worker sends.
func (in *inbox) clear() {
	in.overflow.count.And(^closedBit)
	for in.receive() != 0 {
	}
	in.settle()
}

// settle publishes that the owner has run, or queued elsewhere, all that it has received. Owner only.
func (in *inbox) settle() {
	if in.freed.Load() != in.head { // a store on each call would take the cache line from workers that read freed
		in.freed.Store(in.head)
	}
}

// empty reports whether there is no message, no sender between claim and store, and no message received since the last
// settle. A hint of mail and a halt are no messages: the hint may be out of date. A closed inbox is not empty.
func (in *inbox) empty() bool {
	return in.tail.Load() == in.freed.Load() && in.overflow.count.Load()&^(mailBit|haltBit) == 0
}
