package pgas

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// The checks of synchronisation come first in a run of a test that synchronises, off the clock. They run the test's own
// loop for some iterations, with other bytes in every message. After each synchronisation, each PE checks that what was
// sent before it has arrived. Then the segments are prepared again, for the timed part.
const checkRounds = 64

// A moment is a point of an iteration at which a PE takes part in the checks.
type moment uint8

const (
	opening moment = iota // the origin begins
	middle                // the other PE goes on: the origin has moved its message
	closing               // the last synchronisation is behind the PE
)

// inspect does the PE's part at a moment of iteration i: it writes the next message, or compares the one that has
// arrived.
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
	case gets || r.isOrigin(r.me):
		r.compare(segment, i)
	}
}

// stamp writes message i of the PE.
func (r *runner) stamp(segment []byte, i int) {
	if r.Fault != LostMessage || r.me != 0 || i != checkRounds/2 {
		r.stamped(segment[r.sourceAt(i):][:r.body()], r.me, i)
	}
}

func (p *plan) stamped(message []byte, pe, i int) { pattern(message, pe, pad(p.bytes)+8*i) }

// compare compares what has arrived in iteration i with what the partner sends.
func (r *runner) compare(segment []byte, i int) {
	got := bytes.Clone(segment[r.destAt(i):][:r.Bytes]) // it may be changing, if it is wrong
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
