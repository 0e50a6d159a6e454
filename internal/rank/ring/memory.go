package ring

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"ocr/internal/core/sys"
)

// DefaultLines is the number of lines of a ring unless a caller chooses another.
const DefaultLines = 1024

// MaxRanks is the highest number of ranks of a job.
const MaxRanks = 256

const (
	lineWords = 7             // words of a line's body
	lineBytes = 8 * lineWords // bytes of a line's body
	lineSize  = 8 + lineBytes // a cache line
	pageBytes = 4096          // words that different ranks write are in different pages
)

// A line is a part of a message.
type line struct {
	head uint64
	body [lineWords]uint64
}

// The head of a message's first line has the message's Kind in bits 0 to 7, its Count in bits 8 to 15,
// and the length of its tail in bytes from bit 16 on. All heads have the mark of the lap in bit 63; the
// heads of the other lines have nothing else.
const (
	countShift  = 8
	lengthShift = 16

	lapBit = 1 << 63 // set in the heads of even laps
)

// A rankPage is the words of a rank that other ranks read.
type rankPage struct {
	attention atomic.Uint32
	senders   [MaxRanks / 64]atomic.Uint64 // a bit for each rank: its ring may have messages
	_         [88]byte
	closed    atomic.Uint32
}

// Bits of attention.
const (
	mail   = 1 << iota // the rings may have messages
	asleep             // the rank waits on the futex of this word
	woken              // Wake was called: Sleep returns at once
)

// notify sets a bit of attention, and wakes the rank if it sleeps. The caller has stored before it what
// the bit announces.
func (r *rankPage) notify(bit uint32) {
	if r.attention.Load()&bit == 0 && r.attention.Or(bit)&asleep != 0 {
		sys.SharedFutexWake(r.futex(), 1)
	}
}

// mark says that the ring from a rank may have messages.
func (r *rankPage) mark(from int) {
	if w, bit := &r.senders[from/64], uint64(1)<<(from%64); w.Load()&bit == 0 {
		w.Or(bit)
	}
	r.notify(mail)
}

func (r *rankPage) futex() *uint32 { return (*uint32)(unsafe.Pointer(&r.attention)) }

// A ringPage is the words by which the receiver of a ring reports to the sending rank.
type ringPage struct {
	freed   uint64 // lines read; those below may be claimed again
	handled uint64 // messages handled
}

// A Memory is the shared memory of a job's ranks, as one of them has mapped it.
//
// It has no pointers in it, and begins at a cache line. Engines access it through pointers to structs of
// fixed size. Words that two ranks use are accessed atomically, or are in a line that one rank owns at a
// time. It must outlive the engines on it.
type Memory struct {
	bytes []byte
	ranks int
	lines int
}

// Bytes returns the size of the memory of a job, by its number of ranks and the lines of a ring.
func Bytes(ranks, lines int) int { return ranks*pageBytes + ranks*ranks*ringBytes(lines) }

func ringBytes(lines int) int { return pageBytes + (lines*lineSize+pageBytes-1)/pageBytes*pageBytes }

// NewMemory uses bytes, which the caller has zeroed, as the memory of a job.
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

// lap returns the mark for the heads of the lap that a position is in. It differs from the mark of the lap
// before, and that of the first lap differs from zeroed memory.
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
