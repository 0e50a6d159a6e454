package rank

import (
	"testing"

	"ocr/internal/proof/testrun"
)

// step makes a rank handle the next message from another, and appends the message's kind to got.
func step(t *testing.T, l *Loop, from, to int, got *[]uint8) {
	t.Helper()
	e := l.Engine(to)
	e.Offer(from)
	testrun.Equal(t, 1, e.Poll(1, func(_ int, m *Message) bool { *got = append(*got, m.Kind); return true }),
		"%d to %d: messages", from, to)
}

// Messages to one rank are never held back for each other, and none is held back for a message that is not strong.
func TestOrderGoes(t *testing.T) {
	l := NewLoop(3, func(int, int) {})
	o := NewOrder(l.Engine(1))
	o.Send(2, &Message{Kind: 1}, false)
	o.Send(0, &Message{Kind: 2}, true)
	o.Send(0, &Message{Kind: 3}, true)
	if o.Held() || l.Engine(2).Waiting(1) != 1 || l.Engine(0).Waiting(1) != 2 || o.Sent() != 3 {
		t.Error("something is held back")
	}
	o.Send(2, &Message{Kind: 4}, false)
	o.SendNow(2, &Message{Kind: 5})
	var got []uint8
	step(t, l, 1, 2, &got)
	step(t, l, 1, 2, &got)
	if string(got) != string([]uint8{1, 5}) || !o.Held() {
		t.Errorf("handled %v, want 1 and, past what is held back, 5", got)
	}
}

// A message that is refused is not handled, and stays the next one.
func TestLoopRefused(t *testing.T) {
	l := NewLoop(2, nil)
	a, b := l.Engine(0), l.Engine(1)
	a.Send(1, &Message{Kind: 1, Tail: []byte("tail")})
	a.Send(1, &Message{Kind: 2})
	n := b.Poll(10, func(_ int, m *Message) bool { return m.Kind != 1 })
	if n != 0 || a.Handled(1) != 0 || a.Sent(1) != 2 || !b.Arrived() {
		t.Errorf("%d handled, %d by the count, of %d", n, a.Handled(1), a.Sent(1))
	}
	var got []uint8
	n = b.Poll(10, func(from int, m *Message) bool { got = append(got, m.Kind); return from == 0 })
	if n != 2 || string(got) != string([]uint8{1, 2}) || a.Handled(1) != 2 || b.Arrived() {
		t.Errorf("%d handled: %v", n, got)
	}
}

// A message that is held does not move in memory each time another one goes: for many it would take too long.
func TestHeldStays(t *testing.T) {
	l := NewLoop(3, func(int, int) {})
	o, got := NewOrder(l.Engine(0)), []uint8(nil)
	for k := range 100 {
		o.Send(1+k%2, &Message{Kind: uint8(k)}, true)
	}
	last := &o.held[len(o.held)-1]
	for k := range 40 {
		step(t, l, 0, 1+k%2, &got)
		o.Go()
	}
	if now := &o.held[len(o.held)-1]; now != last || !o.Held() {
		t.Error("the last message was moved")
	}
	for k := 40; k < 100; k++ {
		step(t, l, 0, 1+k%2, &got)
		o.Go()
	}
	for k, kind := range got {
		testrun.Equal(t, k, int(kind), "message %d", k)
	}
	testrun.Equal(t, false, o.Held(), "messages are held")
}
