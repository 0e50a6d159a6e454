//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"ocr/internal/rank"
)

// An incoming has the packets from one rank: a ring of the packets that were pulled, and the position of the next
// message to read. The sender never has more than window packets that were not read.
//
// Concurrency: the holder of process.calls writes bye, wanted, and slots[pulled:]. The goroutine that polls reads
// slots[read:pulled], and owns the other fields. pulled, read and handled have one writer each.
type incoming struct {
	engine  *Engine
	from    int
	slots   [][]byte      // each slot has memory for its longest packet so far; nil until the first packet arrives
	bye     bool          // the last packet has arrived
	wanted  bool          // the sender waits for news
	pulled  atomic.Uint64 // number of packets with messages that were pulled
	read    atomic.Uint64 // number of packets read to the end
	handled atomic.Uint64 // number of messages handled

	offset  int          // of the next message in the packet that is being read
	refused bool         // the handler has refused message; the next poll hands it message again
	message rank.Message // the next message for the handler
	size    int          // of the message's last part, which begins at offset
	tail    []byte       // memory for tails that span several packets
	missing int          // bytes of tail that have not arrived
}

// packetOf returns a packet that MPI has received.
func packetOf(p *C.ocr_packet) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(p.bytes)), p.length)
}

// take records what a packet says, and puts its messages into the ring. After this rank has ended they stay unread.
func (in *incoming) take(packet []byte) {
	second := binary.NativeEndian.Uint64(packet[8:])
	in.bye = in.bye || second&byeBit != 0
	in.wanted = second&wantBit != 0
	data := packet[packetHeader:]
	if len(data) == 0 {
		return
	}
	k := in.pulled.Load()
	if in.slots == nil {
		in.slots = make([][]byte, window)
	}
	slot := &in.slots[k%window]
	*slot = append((*slot)[:0], data...)
	in.pulled.Store(k + 1)
	in.engine.unread.Add(1)
}

// news returns the news for the sender. After this rank has ended it drops packets, so they count as read.
func (in *incoming) news() news {
	if in.engine.ended.Load() {
		return news{in.handled.Load(), in.pulled.Load()}
	}
	return news{in.handled.Load(), in.read.Load()}
}

// poll calls handle for at most budget messages, and for none after a message that handle refuses.
func (in *incoming) poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	for ; n < budget && (in.refused || in.receive()); n++ {
		if in.handOut(handle); in.refused {
			break
		}
	}
	return n
}

// handOut calls handle for the message; handle refuses it by returning false.
func (in *incoming) handOut(handle func(from int, m *rank.Message) bool) {
	in.refused = false
	defer func() {
		if !in.refused {
			in.advance(in.size)
			in.handled.Add(1)
			if cap(in.tail) > keptTail {
				in.tail, in.message.Tail = nil, nil
			}
		}
	}()
	in.refused = !handle(in.from, &in.message)
}

// receive reads packets until it has a whole message. It does not advance past the message's last part. It returns
// false if packets of the message have not arrived.
func (in *incoming) receive() bool {
	for in.read.Load() != in.pulled.Load() {
		k := in.read.Load() % window
		data := in.slots[k][in.offset:]
		if in.missing == 0 {
			data = data[in.begin(data):]
		}
		if in.missing == 0 {
			return true
		}
		n := copy(in.tail[len(in.tail)-in.missing:], data)
		if in.missing -= n; in.missing == 0 {
			in.message.Tail, in.size = in.tail, n
			return true
		}
		in.advance(len(data))
	}
	return false
}

// begin reads the beginning of a message. If the packet has all of the message, the tail stays in the packet. begin
// returns the number of bytes that it has read.
func (in *incoming) begin(data []byte) int {
	head := binary.NativeEndian.Uint64(data)
	words, tail := sizes(head)
	m := &in.message
	m.Kind, m.Count, m.Tail = uint8(head), uint8(head>>countShift), nil
	for k := range m.Count {
		m.Words[k] = binary.NativeEndian.Uint64(data[8+8*int(k):])
	}
	in.size = words + tail
	switch {
	case tail == 0:
	case words+tail <= len(data):
		m.Tail = data[words : words+tail : words+tail]
	default:
		if cap(in.tail) < tail {
			in.tail = make([]byte, tail)
		}
		in.tail, in.missing = in.tail[:tail], tail
		in.offset += words
	}
	return words
}

// advance moves the offset n bytes further; at the end of the packet the packet counts as read.
func (in *incoming) advance(n int) {
	k := in.read.Load()
	if in.offset += n; in.offset < len(in.slots[k%window]) {
		return
	}
	in.offset = 0
	in.read.Store(k + 1)
	in.engine.unread.Add(-1)
}
