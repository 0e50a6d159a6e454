// Package chaos makes an engine as slow and uneven as an engine may be, for tests. Messages of some ranks arrive late
// while messages of others overtake them, and Handled grows late. The order between two ranks is kept. The delays
// follow from a seed and from the calls.
package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/rank"
)

// An Engine delays the messages of another engine.
type Engine struct {
	rank.Engine
	longest int

	// For messages that arrive; owned by the goroutine that polls.
	in     *rand.Rand
	delays []int // by sender: for how many polls its next message is still refused

	mu    sync.Mutex
	out   *rand.Rand
	waits []int           // by receiver: how many polls pass before an update of shown
	shown []atomic.Uint64 // by receiver: what Handled returns
}

// New wraps an engine. longest is the length of the longest delay, in polls.
func New(e rank.Engine, seed uint64, longest int) *Engine {
	return &Engine{
		Engine: e, longest: longest,
		in: rand.New(rand.NewPCG(seed, uint64(2*e.Rank()))), delays: make([]int, e.Size()),
		out: rand.New(rand.NewPCG(seed, uint64(2*e.Rank()+1))), waits: make([]int, e.Size()),
		shown: make([]atomic.Uint64, e.Size()),
	}
}

// DelayIfAsked makes every job of this process use such engines if OCR_TEST_DELAY is the longest delay, in polls. Ranks
// that a process starts inherit the variable. TestMain calls it before the first job.
func DelayIfAsked() {
	text, asked := os.LookupEnv("OCR_TEST_DELAY")
	if !asked {
		return
	}
	longest, err := strconv.Atoi(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "OCR_TEST_DELAY=%s: must be a number of polls\n", text)
		os.Exit(2)
	}
	rank.Through = func(e rank.Engine) rank.Engine { return New(e, rand.Uint64(), longest) }
}

// delay draws the length of a delay, in polls: often 0.
func (e *Engine) delay(draw *rand.Rand) int {
	if draw.IntN(4) > 0 {
		return 0
	}
	return draw.IntN(e.longest + 1)
}

// Poll refuses the messages of ranks with a delay.
func (e *Engine) Poll(budget int, handle func(from int, m *rank.Message) bool) int {
	e.learn()
	return e.Engine.Poll(budget, func(from int, m *rank.Message) bool {
		if e.delays[from] > 0 {
			e.delays[from]--
			return false
		}
		if !handle(from, m) {
			return false
		}
		e.delays[from] = e.delay(e.in)
		return true
	})
}

// learn updates shown for the ranks whose delay is over.
func (e *Engine) learn() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for to := range e.waits {
		if to == e.Rank() {
			continue
		}
		now := e.Engine.Handled(to)
		if now == e.shown[to].Load() {
			continue
		}
		if e.waits[to] > 0 {
			e.waits[to]--
			continue
		}
		e.shown[to].Store(now)
		e.waits[to] = e.delay(e.out)
	}
}

// LookGap implements [rank.Dear]: no gap, unless the engine has one.
func (e *Engine) LookGap() time.Duration {
	if d, ok := e.Engine.(rank.Dear); ok {
		return d.LookGap()
	}
	return 0
}

// OpenWindow implements [rank.Windowed], if the engine does; one-sided operations are not delayed.
func (e *Engine) OpenWindow(bytes int) (rank.Window, error) {
	return e.Engine.(rank.Windowed).OpenWindow(bytes)
}

// Handled returns how many messages were handled some polls ago.
func (e *Engine) Handled(to int) uint64 { return e.shown[to].Load() }
