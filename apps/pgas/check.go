package pgas

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// A run of a test that synchronises begins with the checks of synchronisation, which are not timed. They run the test's
// own loop for checkRounds iterations, with other bytes in every message. After each synchronisation, each PE checks
// that the messages sent before it have arrived. Then the PEs prepare the segments again, for the timed part.
const checkRounds = 64

// A moment is a point of an iteration at which a PE writes or compares, in the checks.
type moment uint8

const (
	opening moment = iota // the origin begins
	middle                // the partner runs: the origin has moved its message
	closing               // the PE has passed the last synchronisation, or a flag has arrived
)

// inspect runs at a moment of iteration i: the PE writes its next message, or compares the message that has arrived.
func (r *runner) inspect(segment []byte, i int, at moment) {
	switch gets := r.test.Gets; {
	case at == opening:
		r.dawdle(i)
		r.stamp(segment, i)
	case at == middle && gets: // the origin has got message i
		r.dawdle(i)
		r.stamp(segment, i+1)
	case at == middle:
		r.compare(segment, i)
		r.dawdle(i)
		r.stamp(segment, i)
	case gets || r.flagged() || r.isOrigin(r.me):
		r.compare(segment, i)
	}
}

func (r *runner) stamp(segment []byte, i int) {
	if r.Fault != LostMessage || r.me != 0 || i != checkRounds/2 {
		r.stamped(segment[r.sourceAt(i):][:r.body()], r.me, i)
	}
}

func (p *plan) stamped(message []byte, pe, i int) { pattern(message, pe, pad(p.bytes)+8*i) }

// compare compares what has arrived in iteration i with what the partner sends.
func (r *runner) compare(segment []byte, i int) {
	got := bytes.Clone(segment[r.destAt(i):][:r.Bytes]) // a copy: a segment may still change if a synchronisation is wrong
	want := make([]byte, r.Bytes)
	r.stamped(want[:r.body()], r.partner(r.me), i)
	if r.flagged() {
		binary.LittleEndian.PutUint64(want[r.body():], flagOf(i))
	}
	if at := firstDifference(got, want); at >= 0 {
		r.wrong = cmp.Or(r.wrong, r.mismatch(i+1, r.me, r.destAt(i)+at, hex(got[at]), hex(want[at])))
	}
}

// dawdle makes PEs late in turn: a PE that does not wait finds old values.
func (r *runner) dawdle(i int) {
	const late = 4000 // ns
	if turn := i % r.PEs; turn == r.me || r.isOrigin(r.me) == (i%2 == 0) {
		for begin := now(); now()-begin < late; {
		}
	}
}
