package pgas

import "bytes"

// The checking phase comes first in a run of a test that synchronises, off the clock. It runs the test's own loop for
// some iterations, with other bytes in every message. After each synchronisation, each PE checks that what was sent
// before it has arrived. Then the segments are prepared again, for verify.go.
const checkRounds = 64

// A moment is a point of an iteration at which a PE takes part in the checks.
type moment uint8

const (
	opening moment = iota // the origin begins
	middle                // the other PE goes on: the origin has moved its message
	closing               // the last synchronisation is behind the PE
)

// checks reports whether a run has a checking phase.
func (p *plan) checks() bool { return !p.cfg.NoVerify && len(p.test.Uses.Syncs) > 0 }

// omits reports whether a test of the checks has a synchronisation left out: 0 is the first
// of an iteration, 1 the second.
func (p *plan) omits(second int) bool { return p.cfg.omitSync>>second&1 != 0 }

// inspect does a PE's part at a moment of iteration i of put-put and get-get: it writes the next message, or compares
// the one that has arrived.
func (p *plan) inspect(segment []byte, me, i int, at moment) error {
	get := p.isGet()
	switch {
	case at == opening:
		p.dawdle(me, i)
		p.stamp(segment, me, i)
	case at == middle && get: // the origin has got message i
		p.dawdle(me, i)
		p.stamp(segment, me, i+1)
	case at == middle:
		err := p.compare(segment, me, i)
		p.dawdle(me, i)
		p.stamp(segment, me, i)
		return err
	case get || p.cfg.Origin(me):
		return p.compare(segment, me, i)
	}
	return nil
}

// stamp writes message i of a PE, but for its flag.
func (p *plan) stamp(segment []byte, pe, i int) {
	if i != checkRounds/2 || pe != p.cfg.omitPut-1 {
		p.stamped(segment[p.sourceAt(i):][:p.unflagged()], pe, i)
	}
}

func (p *plan) stamped(message []byte, pe, i int) { pattern(message, pe, pad(p.bytes)+8*i) }

// unflagged returns the bytes of a message without its flag.
func (p *plan) unflagged() int {
	if p.flagged() {
		return p.cfg.Bytes - min(p.cfg.Bytes, 8)
	}
	return p.cfg.Bytes
}

// compare compares what has arrived in iteration i with what the partner sends.
func (p *plan) compare(segment []byte, me, i int) error {
	got := bytes.Clone(segment[p.destAt(i):][:p.cfg.Bytes]) // it may be changing, if it is wrong
	want := make([]byte, p.cfg.Bytes)
	p.stamped(want[:p.unflagged()], p.partner(me), i)
	if p.flagged() {
		setFlag(want, i)
	}
	if bytes.Equal(got, want) {
		return nil
	}
	at := 0
	for got[at] == want[at] {
		at++
	}
	return p.wrong(i+1, me, p.destAt(i)+at, hex(got[at]), hex(want[at]))
}

// dawdle makes PEs late in turn: a PE that does not wait finds old values.
func (p *plan) dawdle(me, i int) {
	const late = 4000 // ns
	if turn := i % p.cfg.PEs; turn == me || p.cfg.Origin(me) == (i%2 == 0) {
		for begin := now(); now()-begin < late; {
		}
	}
}

// beginChecks readies a PE's segment for the checking phase.
func (p *plan) beginChecks(segment []byte, me int) {
	p.stamp(segment, me, 0)
}
