package ring

import (
	"sync/atomic"

	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

// keptTail is the size, in bytes, up to which an incoming keeps the memory of a tail for shorter ones.
const keptTail = 1 << 20

// An incoming is the receiving end of a ring.
//
// Concurrency: it belongs to the goroutine that polls. Others load refused and position, and the head of
// the line there, to check for messages.
type incoming struct {
	position uint64      // the line to read next
	refused  atomic.Bool // the handler has refused message: the next poll handles it again

	from    int
	own     *rankPage // of this rank
	page    *ringPage
	lines   []line
	freed   uint64 // the value of page.freed
	told    uint64 // the value of page.handled
	handled uint64 // messages handled
	message rank.Message
	tail    []byte // memory for the tail of message
	missing int    // bytes of the tail that have not arrived
}

// arrived reports whether there is a refused message, or a line to read. Any goroutine may call it. While another
// polls, either answer may be wrong, see doc.go.
func (in *incoming) arrived() bool {
	at := atomic.LoadUint64(&in.position)
	return in.refused.Load() || in.fresh(at, atomic.LoadUint64(&in.lines[at&uint64(len(in.lines)-1)].head))
}

// fresh reports whether the head at a position was written in the position's lap. Zeroed memory, and a head of
// the lap before, have the other mark.
func (in *incoming) fresh(at, head uint64) bool { return (head^lap(at, len(in.lines)))&lapBit == 0 }

// poll calls handle for at most budget messages, and for none after one that handle refuses. It counts a message before
// the call, so that one whose handler panics is counted. Only settle publishes the count.
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
			in.own.mark(in.from) // Subtle: the sender may not have reached (3).
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

// receive reads a line, and those behind it, until it has a whole message. It returns false if lines of it have not
// arrived.
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

// begin reads the part of a message's tail that is in the first line.
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

// free publishes how many lines were read.
func (in *incoming) free() {
	in.freed = in.position
	relaxed.Store64(&in.page.freed, in.freed)
}

// settle publishes how many lines were read and how many messages handled.
func (in *incoming) settle() { // (5)
	in.free()
	in.told = in.handled
	relaxed.Store64(&in.page.handled, in.handled)
}
