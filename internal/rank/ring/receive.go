package ring

import (
	"sync/atomic"

	"ocr/internal/rank"
	"ocr/internal/relaxed"
)

// keptTail is how large the memory for tails may be that is kept for the next one.
const keptTail = 1 << 20

// An incoming is the receiving end of a ring.
//
// Concurrency: it belongs to the goroutine that polls. Others look at the line at its
// position, to see whether polling is worth it.
type incoming struct {
	position uint64      // the line to read next
	refused  atomic.Bool // message has come too early: it is the next one again

	from    int
	peer    *rankPage // of the sending rank
	page    *ringPage
	lines   []line
	freed   uint64 // what page has
	handled uint64 // messages
	message rank.Message
	tail    []byte // memory for the tail of message
	missing int    // bytes of the tail that are still to come
}

// arrived reports whether there is a message that was refused, or a line to read. Any goroutine: while
// another polls it may be wrong.
func (in *incoming) arrived() bool {
	if in.refused.Load() {
		return true
	}
	at := atomic.LoadUint64(&in.position)
	return in.fresh(at, atomic.LoadUint64(&in.lines[at&uint64(len(in.lines)-1)].head))
}

// fresh reports whether a head that is at a position now was written for it. Nothing, or what was
// written a lap ago, has the other mark.
func (in *incoming) fresh(at, head uint64) bool { return (head^lap(at, len(in.lines)))&lapBit == 0 }

// poll hands at most budget messages to handle, and none behind one that it refuses.
func (in *incoming) poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	before := in.position
	again := in.refused.Load()
	for ; n < budget && (again || in.receive()); n++ { // (4)
		if !handle(in.from, &in.message) {
			if !again {
				in.refused.Store(true)
			}
			break
		}
		if again {
			again = false
			in.refused.Store(false)
		}
		in.handled++
	}
	if n > 0 || in.position != before {
		in.settle()
	}
	return n
}

// receive reads lines until it has a whole message. It returns false if some are still to
// come.
func (in *incoming) receive() bool {
	for {
		l := &in.lines[in.position&uint64(len(in.lines)-1)]
		head := atomic.LoadUint64(&l.head)
		if !in.fresh(in.position, head) {
			return false
		}
		if in.missing > 0 {
			in.missing -= copy(in.message.Tail[len(in.message.Tail)-in.missing:], l.bytesFrom(0))
		} else {
			in.begin(l, head&^lapBit)
		}
		in.advance()
		if in.missing == 0 {
			return true
		}
	}
}

// begin reads the first line of a message.
func (in *incoming) begin(l *line, head uint64) {
	m := &in.message
	m.Kind, m.Count, m.Words = uint8(head), uint8(head>>countShift), l.body
	length := int(head >> lengthShift)
	if length == 0 {
		m.Tail = nil
		return
	}
	if cap(in.tail) < length || cap(in.tail) > max(length, keptTail) {
		in.tail = make([]byte, length)
	}
	m.Tail = in.tail[:length]
	in.missing = length - copy(m.Tail, l.bytesFrom(m.Count))
}

// advance goes to the next line.
func (in *incoming) advance() {
	relaxed.Store64(&in.position, in.position+1)
	if int(in.position-in.freed) >= len(in.lines)/4 {
		in.free()
	}
}

// free tells the senders how far it is.
func (in *incoming) free() {
	in.freed = in.position
	relaxed.Store64(&in.page.freed, in.freed)
}

// settle tells the sending rank all that it may know, and wakes it if it sleeps.
func (in *incoming) settle() { // (5)
	in.free()
	atomic.StoreUint64(&in.page.handled, in.handled)
	if in.peer.attention.Load()&asleep != 0 {
		in.peer.notify(woken)
	}
}
