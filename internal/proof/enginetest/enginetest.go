// Package enginetest tests whether an engine satisfies [rank.Engine]. Each test is the program of one rank. [Run] runs
// it on a goroutine for each rank of a job in this process; [RunRank] runs it in a process that is a rank.
package enginetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// tests has all tests. Run runs each test with its number of ranks; any number from 2 up is possible.
var tests = []struct {
	name  string
	ranks int
	test  func(p *part)
}{
	{"ranks", 3, numbers},
	{"order of many senders", 2, func(p *part) { traffic(p, 4, 0) }},
	{"order of many senders with tails", 2, func(p *part) { traffic(p, 3, 300) }},
	{"order of many senders with long tails", 2, func(p *part) { traffic(p, 3, 20_000) }},
	{"order among three ranks", 3, func(p *part) { traffic(p, 2, 100) }},
	{"tails of every length", 2, inPairs(sendTails, receiveTails)},
	{"a burst without polls", 2, inPairs(sendBurst, receiveBurst)},
	{"handlers send", 3, handlersSend},
	{"budget", 2, inPairs(sendTen, budget)},
	{"handlers panic", 2, inPairs(sendToPanics, handlersPanic)},
	{"messages that come too early", 3, tooEarly},
	{"sleep", 2, inPairs(sendToSleeper, sleep)},
	{"sleep until a message comes", 2, inPairs(sleepers, sleepers)},
	{"what was sent before Close arrives", 2, inPairs(sendAndClose, receiveAll)},
	{"what is sent to a rank that has closed is dropped", 2, inPairs(sendToClosed, closeFirst)},
}

// Run tests the engines of one kind. open opens the engines of a job, all in this process; Run closes them.
func Run(t *testing.T, open func(t *testing.T, ranks int) []rank.Engine) {
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			job := open(t, tc.ranks)
			place := newPlace(make([]uint64, PlaceWords(tc.ranks)), tc.ranks)
			var wg sync.WaitGroup
			for _, e := range job {
				wg.Go(func() { (&part{T: t, Engine: e, place: place}).take(tc.test) })
			}
			wg.Wait()
		})
	}
}

// RunRank tests an engine as Run does, in a process that is one of several ranks. Every rank must call it. open opens
// the rank's engine for a test; words is memory that all ranks have mapped, [PlaceWords] words, zeroed.
func RunRank(t *testing.T, words []uint64, ranks int, open func(t *testing.T) rank.Engine) {
	place := newPlace(words, ranks)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			(&part{T: t, Engine: open(t), place: place}).take(tc.test)
		})
	}
}

// take runs a rank's part of a test. All ranks close their engines together, as Close may wait until others have read
// their messages.
func (p *part) take(test func(p *part)) {
	atomic.StoreUint64(p.place.word(handledOf, p.Rank()), 0)
	p.meet()
	test(p)
	p.meet()
	p.Close()
	p.meet()
}

// inPairs makes a test of two parts: for ranks 0, 2 and so on, and for ranks 1, 3 and so on. A rank without a peer does
// nothing.
func inPairs(even, odd func(p *part, peer int)) func(p *part) {
	return func(p *part) {
		switch peer := p.Rank() ^ 1; {
		case peer == p.Size():
		case peer > p.Rank():
			even(p, peer)
		default:
			odd(p, peer)
		}
	}
}

// numbered returns message n of a sender. Its words and its tail follow from sender and n.
func numbered(sender, n uint64, tail int) *rank.Message {
	draw := rand.New(rand.NewPCG(sender, n))
	m := &rank.Message{Kind: uint8(n), Count: uint8(2 + draw.IntN(6)), Words: [7]uint64{sender, n}}
	for k := 2; k < int(m.Count); k++ {
		m.Words[k] = draw.Uint64()
	}
	if tail > 0 {
		m.Tail = make([]byte, draw.IntN(tail))
		for k := range m.Tail {
			m.Tail[k] = byte(draw.Uint64())
		}
	}
	return m
}

// differs describes how a message differs from the expected one, "" if it does not.
func differs(got, want *rank.Message) string {
	switch {
	case got.Kind != want.Kind || got.Count != want.Count:
		return fmt.Sprintf("kind %d and count %d, want %d and %d", got.Kind, got.Count, want.Kind, want.Count)
	case !slices.Equal(got.Words[:got.Count], want.Words[:want.Count]):
		return fmt.Sprintf("words %x, want %x", got.Words[:got.Count], want.Words[:want.Count])
	case !bytes.Equal(got.Tail, want.Tail):
		return fmt.Sprintf("another tail: %d bytes, want %d", len(got.Tail), len(want.Tail))
	}
	return ""
}

// traffic makes several goroutines of each rank send to all other ranks, while two goroutines of each rank poll. The
// messages from one rank to another are numbered, whichever goroutine sends them.
func traffic(p *part, senders, tail int) {
	each := testrun.Sized(150, 500, 3000)
	if tail > 1000 {
		each /= 15
	}
	var wg sync.WaitGroup
	var turn sync.Mutex
	sent, next := make([]uint64, p.Size()), make([]uint64, p.Size()) // by rank; only handlers use next
	for range senders {
		wg.Go(func() {
			for range each {
				for to := range p.Size() {
					if to != p.Rank() {
						turn.Lock()
						p.Send(to, numbered(uint64(p.Rank()), sent[to], tail))
						sent[to]++
						turn.Unlock()
					}
				}
			}
		})
	}
	var got atomic.Int64
	total := int64(each * senders * (p.Size() - 1))
	for range 2 {
		wg.Go(func() {
			p.pollUntil(func() bool { return got.Load() == total }, func(from int, m *rank.Message) {
				if wrong := differs(m, numbered(uint64(from), next[from], tail)); wrong != "" {
					p.Errorf("rank %d: message %d of rank %d: %s", p.Rank(), next[from], from, wrong)
				}
				next[from]++
				got.Add(1)
			})
		})
	}
	wg.Wait()
}

func numbers(p *part) {
	if p.Size() != p.place.ranks {
		p.Errorf("rank %d of %d", p.Rank(), p.Size())
	}
	if p.Arrived() || p.Poll(1, taking(p.forbidden())) != 0 {
		p.Errorf("rank %d: a message has arrived before any was sent", p.Rank())
	}
	for to := range p.Size() {
		if p.Sent(to) != 0 || p.Handled(to) != 0 {
			p.Errorf("rank %d: %d messages to rank %d, %d of them handled, before any was sent", p.Rank(), p.Sent(to), to,
				p.Handled(to))
		}
	}
}

// tails yields messages with every number of words, and with tails of every length that fits two cache lines, and some
// longer ones.
func tails(yield func(*rank.Message) bool) {
	lengths := []int{4095, 4096, 4097, 16_384, 70_000}
	for n := range 130 {
		lengths = append(lengths, n)
	}
	draw := rand.NewChaCha8([32]byte{1})
	tail := make([]byte, 70_000)
	_, _ = draw.Read(tail)
	for _, length := range lengths {
		for count := range uint8(8) {
			if !yield(&rank.Message{Kind: 200, Count: count, Words: [7]uint64{1, 2, 3, 4, 5, 6, 7}, Tail: tail[:length]}) {
				return
			}
		}
	}
}

// sendTails sends each message when the previous one was handled.
func sendTails(p *part, peer int) {
	for m := range tails {
		p.Send(peer, m)
		p.pollUntil(func() bool { return p.Handled(peer) == p.Sent(peer) }, p.forbidden())
	}
}

func receiveTails(p *part, _ int) {
	for m := range tails {
		got := false
		for !got {
			p.Poll(1, taking(func(_ int, r *rank.Message) {
				got = true
				if wrong := differs(r, m); wrong != "" {
					p.Errorf("count %d, tail of %d: %s", m.Count, len(m.Tail), wrong)
				}
			}))
		}
	}
}

// bursts is the number of messages in a burst, far more than any engine has room for.
const bursts = 3000

// sendBurst overwrites a message once it is sent. The receiver does not poll meanwhile; the sender never polls.
func sendBurst(p *part, peer int) {
	for n := range uint64(bursts) {
		m := numbered(0, n, 100)
		p.Send(peer, m)
		clear(m.Tail)
		*m = rank.Message{}
	}
	if p.Sent(peer) != bursts || p.Handled(peer) != 0 {
		p.Errorf("sent %d and handled %d, want %d and 0", p.Sent(peer), p.Handled(peer), bursts)
	}
	p.meetPeer(peer)
}

func receiveBurst(p *part, peer int) {
	p.meetPeer(peer)
	receiveAll(p, peer)
}

// handlersSend makes handlers forward messages from rank to rank.
func handlersSend(p *part) {
	const balls, hops = 20, 50
	ended := p.place.word(tally, 0)
	if p.Rank() == 0 {
		for n := range uint64(balls) {
			p.Send(1, &rank.Message{Count: 2, Words: [7]uint64{n, hops}, Tail: make([]byte, 10*n)})
		}
	}
	until := atomic.LoadUint64(ended)/balls*balls + balls
	p.meet()
	p.pollUntil(func() bool { return atomic.LoadUint64(ended) == until }, func(_ int, m *rank.Message) {
		if len(m.Tail) != int(10*m.Words[0]) {
			p.Errorf("tail of %d bytes, want %d", len(m.Tail), 10*m.Words[0])
		}
		if m.Words[1]--; m.Words[1] == 0 {
			atomic.AddUint64(ended, 1)
			return
		}
		to := (p.Rank() + 1 + int(m.Words[1])%(p.Size()-1)) % p.Size()
		p.Send(to, m)
	})
}

func sendTen(p *part, peer int) {
	for range 10 {
		p.Send(peer, &rank.Message{})
	}
}

func budget(p *part, _ int) {
	for left := 10; left > 0; {
		calls := 0
		n := p.Poll(3, taking(func(int, *rank.Message) { calls++ }))
		if n != calls || n > 3 {
			p.Errorf("poll returned %d after %d calls, the budget was 3", n, calls)
		}
		left -= n
	}
}

// sendToPanics sends the messages of handlersPanic, and waits until they are handled.
func sendToPanics(p *part, peer int) {
	sendTen(p, peer)
	p.pollUntil(func() bool { return p.Handled(peer) == 10 }, p.forbidden())
}

// handlersPanic refuses each message once, and panics the second time.
func handlersPanic(p *part, _ int) {
	panics := 0
	for calls := 0; panics < 10; {
		func() {
			defer func() {
				if recover() != nil {
					panics++
				}
			}()
			p.Poll(3, func(int, *rank.Message) bool {
				if calls++; calls%2 == 0 {
					panic("a handler")
				}
				return false
			})
		}()
		p.pause(0)
	}
	p.Poll(1, taking(p.forbidden()))
}

// tooEarly makes the last rank refuse messages of the other ranks at random. Each message is handled in its order, and
// counts as handled only then.
func tooEarly(p *part) {
	const total = 500
	last := p.Size() - 1
	if me := uint64(p.Rank()); p.Rank() != last {
		for n := range uint64(total) {
			if p.Send(last, numbered(me, n, 200)); p.Sent(last) != n+1 {
				p.Errorf("sent %d, want %d", p.Sent(last), n+1)
			}
			if n%50 == 0 {
				p.Poll(1, taking(p.forbidden()))
			}
			p.checkHandled(last)
		}
		p.pollUntil(func() bool { p.checkHandled(last); return p.Handled(last) == total }, p.forbidden())
		if p.Arrived() {
			p.Error("in the end a message has arrived")
		}
		return
	}
	next := make([]uint64, last)
	draw := rand.New(rand.NewPCG(1, 2))
	for slices.Min(next) < total {
		refused, handed := make(map[int]bool), 0
		n := p.Poll(10, func(from int, m *rank.Message) bool {
			if refused[from] {
				p.Errorf("message %d of rank %d behind one that came too early", m.Words[1], from)
			}
			if wrong := differs(m, numbered(uint64(from), next[from], 200)); wrong != "" {
				p.Errorf("message %d of rank %d: %s", next[from], from, wrong)
			}
			if draw.IntN(3) == 0 {
				refused[from] = true
				return false
			}
			next[from]++
			handed++
			p.handles(from)
			return true
		})
		if n != handed {
			p.Errorf("poll returned %d for %d handled messages", n, handed)
		}
		if len(refused) > 0 && !p.Arrived() {
			p.Error("what came too early has not arrived")
		}
		if n == 0 && len(refused) == 0 {
			p.pause(0)
		}
	}
}

func sendToSleeper(p *part, peer int) {
	p.meetPeer(peer)
	p.Send(peer, &rank.Message{})
}

// sleep checks what ends Sleep: a message or a Wake, even if it came before the call, and the time.
func sleep(p *part, peer int) {
	p.Wake()
	p.Sleep(time.Hour)
	p.meetPeer(peer)
	for !p.Arrived() {
		p.Sleep(time.Hour)
	}
	p.Sleep(time.Hour) // returns at once: the message has not been handled
	n := 0
	p.pollUntil(func() bool { return n > 0 }, func(int, *rank.Message) { n++ })
	p.Sleep(time.Millisecond)
	p.Sleep(0)
	asleep := make(chan struct{})
	go func() {
		defer close(asleep)
		p.Sleep(time.Hour)
	}()
	p.Wake()
	<-asleep
}

// sleepers sends a message to and fro between ranks that sleep if no message has arrived. If a wake-up is lost the test
// hangs.
func sleepers(p *part, peer int) {
	rounds := uint64(testrun.Sized(300, 2000, 20_000))
	if p.Rank() < peer {
		p.Send(peer, &rank.Message{Count: 1})
	}
	for done := false; !done; {
		p.Poll(1, taking(func(from int, m *rank.Message) {
			m.Words[0]++
			if done = m.Words[0] >= rounds; m.Words[0] <= rounds {
				p.Send(from, m)
			}
		}))
		if !done && !p.Arrived() {
			p.Sleep(time.Hour)
		}
	}
}

func sendAndClose(p *part, peer int) {
	for n := range uint64(bursts) {
		p.Send(peer, numbered(0, n, 100))
	}
	p.Close()
}

func receiveAll(p *part, _ int) {
	next := uint64(0)
	p.pollUntil(func() bool { return next == bursts }, func(_ int, m *rank.Message) {
		if wrong := differs(m, numbered(0, next, 100)); wrong != "" {
			p.Errorf("message %d: %s", next, wrong)
		}
		next++
	})
}

func sendToClosed(p *part, peer int) {
	p.meetPeer(peer)
	for n := range uint64(bursts) {
		p.Send(peer, numbered(0, n, 1000))
	}
}

func closeFirst(p *part, peer int) {
	p.Close()
	p.meetPeer(peer)
}
