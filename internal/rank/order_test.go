package rank

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
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

// A program is messages that EDTs send. EDT 0 runs on rank 0 from the beginning; message k, from 1 on, makes EDT k run
// on the rank that it goes to. If that is the sender's rank, a call takes the place of the message. EDT parent[k] sends
// message k. An EDT sends its messages in the order of their numbers.
type program struct{ parent, from, to []int }

func (p *program) String() string {
	var b strings.Builder
	for k := 1; k < len(p.to); k++ {
		fmt.Fprintf(&b, " EDT%d:%d->%d", p.parent[k], p.from[k], p.to[k])
	}
	return b.String()
}

// past lists the messages before message k: those that started the EDTs that led to it, and what these sent before.
func (p *program) past(k int) (all []int) {
	for k != 0 {
		for j := 1; j < k; j++ {
			if p.parent[j] == p.parent[k] {
				all = append(all, j)
			}
		}
		if k = p.parent[k]; k != 0 {
			all = append(all, k)
		}
	}
	return all
}

// programs lists all programs with this number of messages over at most this number of ranks. Of programs that differ
// only in the names of ranks, it lists one.
func programs(messages, ranks int) (all []*program) {
	var extend func(p program, used int)
	extend = func(p program, used int) {
		k := len(p.to)
		if k > messages {
			all = append(all, &p)
			return
		}
		for parent := k - 1; ; parent = p.parent[parent] { // EDTs in the order of a walk over the tree
			from := p.to[parent]
			for to := range min(used+1, ranks) {
				extend(program{append(slices.Clone(p.parent), parent), append(slices.Clone(p.from), from),
					append(slices.Clone(p.to), to)}, max(used, to+1))
			}
			if parent == 0 {
				return
			}
		}
	}
	extend(program{[]int{0}, []int{0}, []int{0}}, 1)
	return all
}

// A play is one order of what happens when a program runs.
type play struct {
	*program
	strong        bool
	loop          *Loop
	orders        []*Order
	sent, handled []bool
	early         string // a message that was handled before one that comes first
}

func newPlay(p *program, ranks int, strong bool) *play {
	y := &play{program: p, strong: strong, loop: NewLoop(ranks, func(int, int) {}), sent: make([]bool, len(p.to)),
		handled: make([]bool, len(p.to))}
	for k := range ranks {
		y.orders = append(y.orders, NewOrder(y.loop.Engine(k)))
	}
	y.handled[0] = true
	return y
}

// acts lists what can happen next: an EDT that runs sends its next message, a rank sends what it has held back, a
// message is handled.
func (y *play) acts() (all []func()) {
	next := make(map[int]bool) // EDTs of which the next message was found
	for k := 1; k < len(y.to); k++ {
		if parent := y.parent[k]; y.handled[parent] && !y.sent[k] && !next[parent] {
			next[parent] = true
			all = append(all, func() { y.send(k) })
		}
	}
	for from, o := range y.orders {
		if o.Held() && o.mayGo(o.held[o.first].to) {
			all = append(all, o.Go)
		}
		for to := range y.orders {
			if y.loop.Engine(to).Waiting(from) > 0 {
				all = append(all, func() {
					y.loop.Engine(to).Offer(from)
					y.loop.Engine(to).Poll(1, func(_ int, m *Message) bool { y.handle(int(m.Kind)); return true })
				})
			}
		}
	}
	return all
}

func (y *play) send(k int) {
	if y.sent[k] = true; y.from[k] == y.to[k] {
		y.handle(k)
		return
	}
	y.orders[y.from[k]].Send(y.to[k], &Message{Kind: uint8(k)}, y.strong)
}

func (y *play) handle(k int) {
	y.handled[k] = true
	for _, j := range y.past(k) {
		if y.to[j] == y.to[k] && !y.handled[j] {
			y.early = fmt.Sprintf("message %d is handled before message %d, in%v", k, j, y.program)
		}
	}
}

// every plays a program in every order, and returns what is wrong in one of them.
func every(p *program, ranks int, strong bool) (wrong string, orders int) {
	for choices := []int{}; ; {
		y := newPlay(p, ranks, strong)
		var open []int // how many choices each step had
		for depth := 0; ; depth++ {
			acts := y.acts()
			if len(acts) == 0 {
				break
			}
			if depth == len(choices) {
				choices = append(choices, 0)
			}
			open = append(open, len(acts))
			acts[choices[depth]]()
		}
		orders++
		if y.early != "" {
			return y.early, orders
		}
		if slices.Contains(y.handled, false) {
			return fmt.Sprint("a message is never sent, in", p), orders
		}
		last := len(open) - 1
		for last >= 0 && choices[last]+1 == open[last] {
			last--
		}
		if last < 0 {
			return "", orders
		}
		choices = choices[:last+1]
		choices[last]++
	}
}

// Each message is handled after all messages to the same rank that were sent before it: by its own EDT, by those that
// made this one run, and so on. Channels in order promise that for two ranks only: without strong messages it fails.
func TestOrderIsCausal(t *testing.T) {
	all, orders := append(programs(3, 3), programs(4, 4)...), 0
	for _, p := range all {
		wrong, n := every(p, 4, true)
		if orders += n; wrong != "" {
			t.Fatal(wrong)
		}
	}
	t.Logf("%d programs, %d orders", len(all), orders)
	for _, p := range all {
		if wrong, _ := every(p, 4, false); wrong != "" {
			t.Log("of weak messages: " + wrong)
			return
		}
	}
	t.Error("weak messages are in causal order too: the test sees nothing")
}

func TestTurn(t *testing.T) {
	const each = 2000
	var turn turn
	var all sync.WaitGroup
	n := 0
	for range 4 {
		all.Go(func() {
			for range each {
				turn.take()
				was := n
				goruntime.Gosched()
				n = was + 1
				turn.leave()
			}
		})
	}
	all.Wait()
	testrun.Equal(t, 4*each, n, "turns")
}
