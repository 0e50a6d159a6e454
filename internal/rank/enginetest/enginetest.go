// Package enginetest tests that an engine keeps what [rank.Engine] promises.
package enginetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/rank"
	"ocr/internal/testrun"
)

// Run tests the engines of one kind. open makes those of a job of so many ranks, all in this
// process; Run closes them.
func Run(t *testing.T, open func(t *testing.T, ranks int) []rank.Engine) {
	for _, tc := range []struct {
		name  string
		ranks int
		test  func(t *testing.T, job []rank.Engine)
	}{
		{"ranks", 3, numbers},
		{"order of many senders", 2, func(t *testing.T, job []rank.Engine) { traffic(t, job, 4, 0) }},
		{"order of many senders with tails", 2, func(t *testing.T, job []rank.Engine) { traffic(t, job, 3, 300) }},
		{"order of many senders with long tails", 2, func(t *testing.T, job []rank.Engine) { traffic(t, job, 3, 20_000) }},
		{"order among three ranks", 3, func(t *testing.T, job []rank.Engine) { traffic(t, job, 2, 100) }},
		{"one sender after another", 2, handOver},
		{"tails of every length", 2, tails},
		{"a burst that nobody polls for", 2, burst},
		{"handlers send", 3, handlersSend},
		{"budget", 2, budget},
		{"one polls at a time", 2, onePolls},
		{"handled", 2, handled},
		{"messages that come too early", 3, tooEarly},
		{"sleep until a message is handled", 2, sleepUntilHandled},
		{"sleep", 2, sleep},
		{"sleep until a message comes", 2, sleepers},
		{"what was sent before Close arrives", 2, closing},
	} {
		t.Run(tc.name, func(t *testing.T) {
			job := open(t, tc.ranks)
			tc.test(t, job)
			closeAll(t, job)
		})
	}
}

// closeAll closes all engines at once: each may wait for what the others still read.
func closeAll(t *testing.T, job []rank.Engine) {
	var wg sync.WaitGroup
	for _, e := range job {
		wg.Go(func() {
			if err := e.Close(); err != nil {
				t.Errorf("rank %d: close: %v", e.Rank(), err)
			}
		})
	}
	wg.Wait()
}

// pollUntil polls until a condition holds.
func pollUntil(e rank.Engine, done func() bool, handle handler) {
	for !done() {
		if e.Poll(64, taking(handle)) == 0 {
			goruntime.Gosched()
		}
	}
}

// A handler is what Poll calls for a message that is not too early.
type handler func(from int, m *rank.Message)

// taking is a handler for Poll.
func taking(h handler) func(from int, m *rank.Message) bool {
	return func(from int, m *rank.Message) bool {
		h(from, m)
		return true
	}
}

// forbidden is a handler of messages that must not come.
func forbidden(t *testing.T) handler {
	return func(from int, m *rank.Message) { t.Errorf("message %v from rank %d", m, from) }
}

func numbers(t *testing.T, job []rank.Engine) {
	for k, e := range job {
		if e.Rank() != k || e.Size() != len(job) {
			t.Errorf("rank %d of %d, want %d of %d", e.Rank(), e.Size(), k, len(job))
		}
		if e.Arrived() || e.Poll(1, taking(forbidden(t))) != 0 || e.Err() != nil {
			t.Errorf("rank %d: there is something before anything was sent", k)
		}
		for to := range job {
			if e.Sent(to) != 0 || e.Handled(to) != 0 {
				t.Errorf("rank %d: %d messages to rank %d, %d of them handled, before anything was sent", k, e.Sent(to), to, e.Handled(to))
			}
		}
	}
}

// numbered is a message of a sender: the words and the tail follow from the numbers.
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

// differs says what is wrong with a message that was received.
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

// traffic has so many goroutines of each rank send to all others, while two of each poll. Each
// message says where it stands among those of its sender.
func traffic(t *testing.T, job []rank.Engine, senders, tail int) {
	each := uint64(testrun.Sized(150, 500, 3000))
	if tail > 1000 {
		each /= 15
	}
	var wg sync.WaitGroup
	for me, e := range job {
		for k := range senders {
			wg.Go(func() {
				id := uint64(me*senders + k)
				for n := range each {
					for to := range job {
						if to != me {
							e.Send(to, numbered(id, n, tail))
						}
					}
				}
			})
		}
		var got atomic.Uint64
		total := each * uint64(senders*(len(job)-1))
		next := make([]uint64, senders*len(job)) // guarded by Poll
		for range 2 {
			wg.Go(func() {
				pollUntil(e, func() bool { return got.Load() == total }, func(from int, m *rank.Message) {
					got.Add(1)
					id := m.Words[0]
					if id >= uint64(len(next)) || int(id)/senders != from {
						t.Errorf("rank %d: message of sender %d from rank %d", me, id, from)
						return
					}
					if wrong := differs(m, numbered(id, next[id], tail)); wrong != "" {
						t.Errorf("rank %d: message %d of sender %d: %s", me, next[id], id, wrong)
					}
					next[id]++
				})
			})
		}
	}
	wg.Wait()
}

// handOver has two goroutines send in turn: each message was sent after the one before.
func handOver(t *testing.T, job []rank.Engine) {
	total := uint64(testrun.Sized(1000, 4000, 20_000))
	var mu sync.Mutex
	var sent, got uint64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				mu.Lock()
				n := sent
				if n < total {
					sent++
					tail := 0
					if n%5 == 0 {
						tail = 200
					}
					job[0].Send(1, numbered(0, n, tail))
				}
				mu.Unlock()
				if n >= total {
					return
				}
			}
		})
	}
	pollUntil(job[1], func() bool { return got == total }, func(_ int, m *rank.Message) {
		if m.Words[1] != got {
			t.Errorf("message %d in place of %d", m.Words[1], got)
		}
		got++
	})
	wg.Wait()
}

// tails sends tails of every length that a line or two can have, and some longer ones, behind
// every number of words.
func tails(t *testing.T, job []rank.Engine) {
	lengths := []int{4095, 4096, 4097, 70_000}
	for n := range 130 {
		lengths = append(lengths, n)
	}
	tail := make([]byte, 70_000)
	for k := range tail {
		tail[k] = byte(rand.Uint32())
	}
	for _, length := range lengths {
		for count := range uint8(8) {
			m := rank.Message{Kind: 200, Count: count, Words: [7]uint64{1, 2, 3, 4, 5, 6, 7}, Tail: tail[:length]}
			job[0].Send(1, &m)
			got := false
			handle := func(_ int, r *rank.Message) {
				got = true
				if wrong := differs(r, &m); wrong != "" {
					t.Errorf("count %d, tail of %d: %s", count, length, wrong)
				}
			}
			for !got {
				job[0].Poll(1, taking(forbidden(t)))
				job[1].Poll(1, taking(handle))
			}
		}
	}
}

// burst sends far more than any room, and changes what it has sent at once: nobody polls meanwhile,
// and the sending rank never does.
func burst(t *testing.T, job []rank.Engine) {
	const total = 3000
	m := rank.Message{Count: 1, Tail: make([]byte, 100)}
	for n := range uint64(total) {
		m.Words[0], m.Tail[99] = n, byte(n)
		job[0].Send(1, &m)
	}
	if job[0].Sent(1) != total || job[0].Handled(1) != 0 {
		t.Errorf("sent %d and handled %d, want %d and 0", job[0].Sent(1), job[0].Handled(1), total)
	}
	next := uint64(0)
	pollUntil(job[1], func() bool { return next == total }, func(_ int, m *rank.Message) {
		if m.Words[0] != next || m.Tail[99] != byte(next) {
			t.Errorf("message %d in place of %d", m.Words[0], next)
		}
		next++
	})
}

// handlersSend sends messages on from rank to rank; their handlers do that.
func handlersSend(t *testing.T, job []rank.Engine) {
	const balls, hops = 20, 50
	var left atomic.Int64
	left.Store(balls)
	for n := range uint64(balls) {
		job[0].Send(1, &rank.Message{Count: 2, Words: [7]uint64{n, hops}, Tail: make([]byte, 10*n)})
	}
	var wg sync.WaitGroup
	for me, e := range job {
		wg.Go(func() {
			pollUntil(e, func() bool { return left.Load() == 0 }, func(from int, m *rank.Message) {
				if len(m.Tail) != int(10*m.Words[0]) {
					t.Errorf("tail of %d bytes, want %d", len(m.Tail), 10*m.Words[0])
				}
				if m.Words[1]--; m.Words[1] == 0 {
					left.Add(-1)
					return
				}
				to := (me + 1 + int(m.Words[1])%2) % len(job)
				e.Send(to, m)
			})
		})
	}
	wg.Wait()
}

func budget(t *testing.T, job []rank.Engine) {
	for range 10 {
		job[0].Send(1, &rank.Message{})
	}
	for left := 10; left > 0; {
		calls := 0
		n := job[1].Poll(3, taking(func(int, *rank.Message) { calls++ }))
		if n != calls || n > 3 {
			t.Fatalf("poll returned %d after %d calls, the budget was 3", n, calls)
		}
		left -= n
	}
}

// onePolls polls while a handler runs: on its goroutine, and on another.
func onePolls(t *testing.T, job []rank.Engine) {
	job[0].Send(1, &rank.Message{})
	job[0].Send(1, &rank.Message{})
	n := 0
	pollUntil(job[1], func() bool { return n == 2 }, func(int, *rank.Message) {
		n++
		if got := job[1].Poll(1, taking(forbidden(t))); got != 0 {
			t.Errorf("a handler polled %d messages", got)
		}
		other := make(chan int)
		go func() { other <- job[1].Poll(1, taking(forbidden(t))) }()
		if got := <-other; got != 0 {
			t.Errorf("a second goroutine polled %d messages", got)
		}
	})
}

// handled looks at the counts of a sender from inside the handlers of its messages.
func handled(t *testing.T, job []rank.Engine) {
	const total = 1000
	next := uint64(0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range total {
			job[0].Send(1, &rank.Message{})
		}
		pollUntil(job[0], func() bool { return job[0].Handled(1) == total }, forbidden(t))
	})
	pollUntil(job[1], func() bool { return next == total }, func(int, *rank.Message) {
		next++
		if n := job[0].Handled(1); n >= next {
			t.Errorf("%d are handled while message %d is", n, next)
		}
		if n := job[0].Sent(1); n < next {
			t.Errorf("%d were sent while message %d is handled", n, next)
		}
	})
	wg.Wait()
	if job[0].Sent(1) != total || job[1].Sent(0) != 0 || job[1].Handled(0) != 0 || job[1].Arrived() {
		t.Errorf("in the end: sent %d, back %d, %d handled, arrived %v", job[0].Sent(1), job[1].Sent(0), job[1].Handled(0), job[1].Arrived())
	}
}

// tooEarly refuses the messages of two ranks at random: each is handled in its turn, and
// counts as handled then.
func tooEarly(t *testing.T, job []rank.Engine) {
	const total = 500
	var wg sync.WaitGroup
	for me := range 2 {
		wg.Go(func() {
			for n := range uint64(total) {
				job[me].Send(2, numbered(uint64(me), n, 200))
				if n%50 == 0 {
					job[me].Poll(1, taking(forbidden(t)))
				}
			}
		})
	}
	var next [2]uint64
	draw := rand.New(rand.NewPCG(1, 2))
	for next[0] < total || next[1] < total {
		refused, handed := -1, 0
		n := job[2].Poll(10, func(from int, m *rank.Message) bool {
			if from == refused {
				t.Errorf("message %d of rank %d behind one that came too early", m.Words[1], from)
			}
			if wrong := differs(m, numbered(uint64(from), next[from], 200)); wrong != "" {
				t.Errorf("message %d of rank %d: %s", next[from], from, wrong)
			}
			if n := job[from].Handled(2); n > next[from] {
				t.Errorf("%d of rank %d are handled before message %d", n, from, next[from])
			}
			if draw.IntN(3) == 0 {
				refused = from
				return false
			}
			next[from]++
			handed++
			return true
		})
		if n != handed {
			t.Errorf("poll returned %d for %d handled messages", n, handed)
		}
		if refused >= 0 && !job[2].Arrived() {
			t.Error("what came too early has not arrived")
		}
		if n == 0 && refused < 0 {
			goruntime.Gosched()
		}
	}
	wg.Wait()
	for me := range 2 {
		pollUntil(job[me], func() bool { return job[me].Handled(2) == total }, forbidden(t))
	}
}

// sleepUntilHandled has a rank sleep whenever its message is not handled yet.
func sleepUntilHandled(t *testing.T, job []rank.Engine) {
	rounds := uint64(testrun.Sized(200, 1000, 20_000))
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range rounds {
			job[0].Send(1, &rank.Message{})
			for job[0].Poll(1, taking(forbidden(t))); job[0].Handled(1) <= n; {
				job[0].Sleep(time.Hour)
			}
		}
	})
	n := uint64(0)
	pollUntil(job[1], func() bool { return n == rounds }, func(int, *rank.Message) { n++ })
	wg.Wait()
}

// sleep ends by what came before it, and by time.
func sleep(t *testing.T, job []rank.Engine) {
	job[1].Wake()
	job[1].Sleep(time.Hour)
	job[0].Send(1, &rank.Message{})
	for !job[1].Arrived() {
		job[1].Sleep(time.Hour)
	}
	job[1].Sleep(time.Hour) // it is still there
	n := 0
	pollUntil(job[1], func() bool { return n > 0 }, func(int, *rank.Message) { n++ })
	job[1].Sleep(time.Millisecond)
	job[1].Sleep(0)
	asleep := make(chan struct{})
	go func() {
		defer close(asleep)
		job[1].Sleep(time.Hour)
	}()
	job[1].Wake()
	<-asleep
}

// sleepers sends messages to and fro between ranks that sleep whenever nothing has arrived: a
// wake-up that is lost hangs.
func sleepers(t *testing.T, job []rank.Engine) {
	rounds := uint64(testrun.Sized(300, 2000, 20_000))
	var wg sync.WaitGroup
	for me, e := range job {
		wg.Go(func() {
			if me == 0 {
				e.Send(1, &rank.Message{Count: 1})
			}
			for done := false; !done; {
				e.Poll(1, taking(func(from int, m *rank.Message) {
					m.Words[0]++
					if done = m.Words[0] >= rounds; m.Words[0] <= rounds {
						e.Send(from, m)
					}
				}))
				if !done && !e.Arrived() {
					e.Sleep(time.Hour)
				}
			}
		})
	}
	wg.Wait()
	n := 0 // the last one
	for _, e := range job {
		pollUntil(e, func() bool { return !e.Arrived() }, func(int, *rank.Message) { n++ })
	}
	if n > 1 {
		t.Errorf("%d messages are left", n)
	}
}

func closing(t *testing.T, job []rank.Engine) {
	const total = 3000
	closed := make(chan error)
	go func() {
		for n := range uint64(total) {
			job[0].Send(1, numbered(0, n, 100))
		}
		closed <- job[0].Close()
	}()
	next := uint64(0)
	pollUntil(job[1], func() bool { return next == total }, func(_ int, m *rank.Message) {
		if wrong := differs(m, numbered(0, next, 100)); wrong != "" {
			t.Errorf("message %d: %s", next, wrong)
		}
		next++
	})
	if err := <-closed; err != nil {
		t.Error(err)
	}
}
