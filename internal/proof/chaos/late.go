package chaos

import (
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"ocr/internal/rank"
)

// Variable is the environment variable with the longest delay, such as 5ms, for [DelayIfAsked]. Ranks that a process
// starts inherit it.
const Variable = "OCR_TEST_DELAY"

// DelayIfAsked makes every job of this process use late engines, if the environment has a delay. TestMain calls it
// before the first job.
func DelayIfAsked() {
	if longest, err := time.ParseDuration(os.Getenv(Variable)); err == nil && longest > 0 {
		rank.Through = func(e rank.Engine) rank.Engine { return NewLate(e, rand.Uint64(), longest) }
	}
}

// A Late engine delays one in four of the messages that arrive, by a time up to the longest. Later messages of the same
// rank wait behind it, as in a network.
type Late struct {
	rank.Engine
	longest time.Duration
	waits   atomic.Bool // the latest message of the last Poll was not due

	// Owned by the goroutine that polls.
	draw *rand.Rand
	due  []time.Time // by sender: when its next message may be handled
}

// NewLate wraps an engine.
func NewLate(e rank.Engine, seed uint64, longest time.Duration) *Late {
	return &Late{Engine: e, longest: longest, draw: rand.New(rand.NewPCG(seed, uint64(e.Rank()))),
		due: make([]time.Time, e.Size())}
}

// Poll refuses the messages that are not due.
func (e *Late) Poll(budget int, handle func(from int, m *rank.Message) bool) int {
	waits := false
	n := e.Engine.Poll(budget, func(from int, m *rank.Message) bool {
		if d := &e.due[from]; d.IsZero() && e.draw.IntN(4) == 0 {
			*d = time.Now().Add(time.Duration(e.draw.Int64N(int64(e.longest))))
		}
		if waits = time.Now().Before(e.due[from]); waits || !handle(from, m) {
			return false
		}
		e.due[from] = time.Time{}
		return true
	})
	e.waits.Store(waits)
	return n
}

// Sleep returns early while a message is not due.
func (e *Late) Sleep(max time.Duration) {
	if e.waits.Load() {
		max = min(max, 100*time.Microsecond)
		time.Sleep(max)
		return
	}
	e.Engine.Sleep(max)
}

// OpenWindow implements [rank.Windowed], if the engine does; one-sided operations are not delayed.
func (e *Late) OpenWindow(bytes int) (rank.Window, error) {
	return e.Engine.(rank.Windowed).OpenWindow(bytes)
}
