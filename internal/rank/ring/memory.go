package ring

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"ocr/internal/core/sys"
)

// DefaultLines is how many lines a ring has.
const DefaultLines = 1024

// MaxRanks is how many ranks an engine is for.
const MaxRanks = 256

const (
	lineWords = 7             // of a line, beside its head
	lineBytes = 8 * lineWords // that they have
	lineSize  = 8 + lineBytes // a cache line
	pageBytes = 4096          // what different ranks write lies in different pages
)

// A line is a part of a message.
type line struct {
	head uint64
	body [lineWords]uint64
}

// The head of a line that is the first of its message has the message's Kind in bits 0 to 7, its
// Count in bits 8 to 15, and the bytes of its tail from bit 16 on. The heads of its other lines have
// nothing but the mark of the lap.
const (
	countShift  = 8
	lengthShift = 16

	lapBit = 1 << 63 // set in the heads of even laps
)

// rankPage is what others look at of a rank.
type rankPage struct {
	attention atomic.Uint32
	_         [124]byte
	closed    atomic.Uint32
}

// Bits of attention.
const (
	mail   = 1 << iota // look at the rings
	asleep             // somebody sleeps on this word
	woken              // by Wake: the next Sleep is none
)

// notify sets a bit of attention, and wakes the rank if it sleeps. It comes after what the bit
// tells was stored.
func (r *rankPage) notify(bit uint32) {
	if r.attention.Load()&bit == 0 && r.attention.Or(bit)&asleep != 0 {
		sys.SharedFutexWake(r.futex(), 1)
	}
}

func (r *rankPage) futex() *uint32 { return (*uint32)(unsafe.Pointer(&r.attention)) }

// ringPage is what the receiver of a ring tells its senders.
type ringPage struct {
	freed   uint64 // lines below may be claimed again
	handled uint64 // messages
}

// A Memory is what all ranks of a job have in common, as one of them has mapped it.
//
// It is bytes that hold no pointers, reached through pointers to structs of fixed size that are
// aligned as it is: at a page. Words that two ranks use are accessed atomically, or lie in a line
// that has one owner at a time. It must outlive the engines on it.
type Memory struct {
	bytes []byte
	ranks int
	lines int
}

// Bytes returns how much memory so many ranks need, with rings of so many lines.
func Bytes(ranks, lines int) int { return ranks*pageBytes + ranks*ranks*ringBytes(lines) }

func ringBytes(lines int) int { return pageBytes + (lines*lineSize+pageBytes-1)/pageBytes*pageBytes }

// NewMemory takes bytes for the memory of a job, which begins as zeros.
func NewMemory(bytes []byte, ranks, lines int) (*Memory, error) {
	switch {
	case ranks < 1 || ranks > MaxRanks:
		return nil, fmt.Errorf("ring: %d ranks: must be 1 to %d", ranks, MaxRanks)
	case lines < 4 || bits.OnesCount(uint(lines)) != 1:
		return nil, fmt.Errorf("ring: %d lines: must be a power of two, 4 or more", lines)
	case len(bytes) != Bytes(ranks, lines):
		return nil, fmt.Errorf("ring: %d bytes of shared memory: must be %d for %d ranks and %d lines", len(bytes),
			Bytes(ranks, lines), ranks, lines)
	case uintptr(unsafe.Pointer(&bytes[0]))%lineSize != 0:
		return nil, fmt.Errorf("ring: shared memory at %p: must begin at a cache line", &bytes[0])
	}
	return &Memory{bytes, ranks, lines}, nil
}

func (m *Memory) rank(k int) *rankPage {
	return (*rankPage)(unsafe.Pointer(&m.bytes[k*pageBytes]))
}

// ring returns the ring on which one rank sends to another.
func (m *Memory) ring(from, to int) (*ringPage, []line) {
	at := m.bytes[m.ranks*pageBytes+(from*m.ranks+to)*ringBytes(m.lines):]
	return (*ringPage)(unsafe.Pointer(&at[0])), unsafe.Slice((*line)(unsafe.Pointer(&at[pageBytes])), m.lines)
}

// lap returns the mark of the lap of a ring of so many lines that a position is in. It differs
// from that of the lap before, and from zeros in the first lap.
func lap(position uint64, lines int) uint64 {
	if position&uint64(lines) == 0 {
		return lapBit
	}
	return 0
}

// bytesFrom returns the bytes of a line's body from a word on.
func (l *line) bytesFrom(word uint8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&l.body)), lineBytes)[8*word:]
}
