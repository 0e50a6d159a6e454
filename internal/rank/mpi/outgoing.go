//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/internal/rank"
)

// A packet begins with news for the receiver. Whole messages, and parts of long ones, may follow.
//
//	word 0   messages of the receiver that the sender has handled
//	word 1   packets of the receiver that the sender has read; bit 0: the sender has ended; bit 1: it waits for news
const (
	packetBytes  = 16 << 10
	packetHeader = 16
	byeBit       = 1 << 0
	wantBit      = 1 << 1
	takenShift   = 2

	// window is the largest number of packets with messages from one rank to another that may be sent but not read.
	window = 64

	// wholeTail is the longest tail, in bytes, that is not cut: if a packet has no room for it, its message goes into the
	// next packet.
	wholeTail = 4096

	// wantFor is the number of packets that ask for news once Handled has returned less than Sent.
	wantFor = 64

	keptBytes = 1 << 20 // the most memory that is kept for messages that were sent
	keptTail  = 8 << 20 // the most memory that is kept to assemble a message
)

// A message is a word with its Kind in bits 0 to 7, its Count in bits 8 to 15 and the length of its tail from bit 16;
// then Count words, then the tail.
const (
	countShift  = 8
	lengthShift = 16
)

// An outgoing is the stream of messages to one rank.
//
// Concurrency: every sender takes mu, which guards bytes, from and rest. Goroutines without mu load waiting to see
// whether there are bytes. The holder of process.calls owns the fields below waiting, with three exceptions: any
// goroutine loads handled, a caller of Handled may set wanted, and known belongs to Sleep.
type outgoing struct {
	engine *Engine
	to     int
	sent   atomic.Uint64 // messages sent

	mu      sync.Mutex
	bytes   []byte // messages; bytes[:from] were put into packets
	from    int
	rest    int // if not 0, bytes[from:from+rest] is the rest of a cut tail
	waiting atomic.Bool

	packets uint64 // packets with messages that were sent
	taken   uint64 // packets that the receiver has read
	told    news   // the news that was sent last
	byeSent bool
	wants   int // how many more packets are to ask for news
	handled atomic.Uint64
	wanted  atomic.Bool
	known   uint64
}

// A news is two counts about another rank: its messages that were handled here, and its packets that were read here.
type news struct{ handled, taken uint64 }

// put appends a message to those that wait.
func (o *outgoing) put(m *rank.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.from > keptBytes && o.from > len(o.bytes)/2 {
		o.bytes, o.from = append(o.bytes[:0], o.bytes[o.from:]...), 0
	}
	o.sent.Add(1)
	o.bytes = binary.NativeEndian.AppendUint64(o.bytes,
		uint64(m.Kind)|uint64(m.Count)<<countShift|uint64(len(m.Tail))<<lengthShift)
	for _, w := range m.Words[:m.Count] {
		o.bytes = binary.NativeEndian.AppendUint64(o.bytes, w)
	}
	o.bytes = append(o.bytes, m.Tail...)
	o.waiting.Store(true)
}

// flush sends packets while there is room, and a packet with nothing but news if the news must not wait. It reports
// whether messages are left to send, and whether news is.
func (o *outgoing) flush(in *incoming, late bool) (left, news bool) {
	for o.waiting.Load() && o.packets-o.taken < window && !in.bye {
		if !o.packet(in, true) {
			return true, true
		}
	}
	if in.bye {
		o.drop()
	}
	n := in.news()
	news = n.handled != o.told.handled
	if news && (late || in.wanted) || n.taken-o.told.taken >= window/2 || o.engine.ended.Load() && !o.byeSent {
		left, news = !o.packet(in, false), false
	}
	return left || o.waiting.Load(), news
}

// packet sends one packet; it returns false if no slot is free.
func (o *outgoing) packet(in *incoming, messages bool) bool {
	e := o.engine
	if e.slot == nil {
		if e.slot = C.ocr_slot(e.c); e.slot == nil {
			return false
		}
	}
	slot := unsafe.Slice((*byte)(unsafe.Pointer(e.slot)), packetBytes)
	n := packetHeader
	if messages {
		n += o.fill(slot[packetHeader:])
		o.packets++
	}
	o.told = in.news()
	second := o.told.taken << takenShift
	if o.wanted.Swap(false) {
		o.wants = wantFor
	}
	if o.wants > 0 {
		o.wants--
		second |= wantBit
	}
	if e.ended.Load() && !o.waiting.Load() {
		second |= byeBit
		o.byeSent = true
	}
	binary.NativeEndian.PutUint64(slot, o.told.handled)
	binary.NativeEndian.PutUint64(slot[8:], second)
	e.sends++
	e.slot = C.ocr_send(e.c, C.int(o.to), C.int(n))
	return true
}

// fill moves messages into a packet, and returns the number of their bytes.
func (o *outgoing) fill(packet []byte) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.from < len(o.bytes) {
		if o.rest == 0 {
			words, tail := sizes(binary.NativeEndian.Uint64(o.bytes[o.from:]))
			if room := len(packet) - n; words > room || tail <= wholeTail && words+tail > room {
				break
			}
			n += copy(packet[n:], o.bytes[o.from:o.from+words])
			o.from, o.rest = o.from+words, tail
		}
		part := copy(packet[n:], o.bytes[o.from:o.from+o.rest])
		n, o.from, o.rest = n+part, o.from+part, o.rest-part
		if o.rest > 0 {
			break
		}
	}
	if o.from == len(o.bytes) {
		o.clear()
	}
	return n
}

// sizes returns the bytes of a message's head and words, and of its tail.
func sizes(head uint64) (words, tail int) {
	return 8 + 8*int(uint8(head>>countShift)), int(head >> lengthShift)
}

func (o *outgoing) clear() {
	o.from = 0
	if o.bytes = o.bytes[:0]; cap(o.bytes) > keptBytes {
		o.bytes = nil
	}
	o.waiting.Store(false)
}

// drop drops the messages that wait, as the receiver has ended.
func (o *outgoing) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear()
}

// hear reads the news in a packet from the receiver, and reports whether there may be more room.
func (o *outgoing) hear(packet []byte) bool {
	o.handled.Store(binary.NativeEndian.Uint64(packet))
	taken := binary.NativeEndian.Uint64(packet[8:]) >> takenShift
	more := taken != o.taken && o.waiting.Load()
	o.taken = taken
	return more
}
