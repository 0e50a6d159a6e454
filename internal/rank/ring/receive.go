package ring

import (
	"sync/atomic"

	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

// keptTail is how large the memory for tails may be that is kept for the next one.
const keptTail = 1 << 20

// An incoming is the receiving end of a ring.
//
// Concurrency: it belongs to the goroutine that polls. Others look at refused, and at the line at its
// position, to see whether polling is worth it.
type incoming struct {
	position uint64      // the line to read next
	refused  atomic.Bool // message has come too early: it is the next one again

	from    int
	own     *rankPage // of this rank
	page    *ringPage
	lines   []line
	freed   uint64 // what page has,
	told    uint64 // of handled
	handled uint64 // messages
	message rank.Message
	tail    []byte // memory for the tail of message
	missing int    // bytes of the tail that are still to come
}

// arrived reports whether there is a message that was refused, or a line to read. Any goroutine: while another polls it
// may be wrong, see doc.go.
func (in *incoming) arrived() bool {
	at := atomic.LoadUint64(&in.position)
	return in.refused.Load() || in.fresh(at, atomic.LoadUint64(&in.lines[at&uint64(len(in.lines)-1)].head))
}

// fresh reports whether a head that is at a position now was written for it. Nothing, or what was
// written a lap ago, has the other mark.
func (in *incoming) fresh(at, head uint64) bool { return (head^lap(at, len(in.lines)))&lapBit == 0 }

// poll hands at most budget messages to handle, and none behind one that it refuses. A message counts as handled
// meanwhile, so that it is if handle panics; nobody else sees that before settle.
func (in *incoming) poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	again := in.refused.Load()
	for ; n < budget; n++ {
		if again {
			again = false
			in.refused.Store(false)
		} else if l := in.next(); l == nil || !in.receive(l) { // (4)
			break
		}
		in.handled++
		if !handle(in.from, &in.message) {
			in.handled--
			in.refused.Store(true)
			in.own.notify(mail) // the sender may not have done it yet
			break
		}
	}
	if in.told != in.handled || in.freed != in.position {
		in.settle()
	}
	return n
}

// next returns the line to read, nil if there is none.
func (in *incoming) next() *line {
	l := &in.lines[in.position&uint64(len(in.lines)-1)]
	if !in.fresh(in.position, atomic.LoadUint64(&l.head)) {
		return nil
	}
	return l
}

// receive reads a line, and those behind it, until it has a whole message. It returns false if some are still to
// come.
func (in *incoming) receive(l *line) bool {
	for l != nil {
		if m := &in.message; in.missing > 0 {
			in.missing -= copy(m.Tail[len(m.Tail)-in.missing:], l.bytesFrom(0))
		} else {
			head := l.head
			m.Kind, m.Count, m.Words = uint8(head), uint8(head>>countShift), l.body
			if length := int(head &^ lapBit >> lengthShift); length > 0 {
				in.begin(l, length)
			} else if m.Tail != nil {
				m.Tail = nil
			}
		}
		if in.advance(); in.missing == 0 {
			return true
		}
		l = in.next()
	}
	return false
}

// begin reads what the first line of a message has of its tail.
func (in *incoming) begin(l *line, length int) {
	if cap(in.tail) < length || cap(in.tail) > max(length, keptTail) {
		in.tail = make([]byte, length)
	}
	m := &in.message
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

// settle tells the sending rank all that it may know.
func (in *incoming) settle() { // (5)
	in.free()
	in.told = in.handled
	relaxed.Store64(&in.page.handled, in.handled)
}
