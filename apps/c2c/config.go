package c2c

import (
	"fmt"
	"time"

	"ocr/apps/trial"
)

// Config describes one trial: two ends, A and B, exchange Warmup transfers that are
// not timed and then Transfers that are.
type Config struct {
	Test   Test
	Form   Form
	Width  int    // bytes of an element: 1, 2, 4 or 8
	Layout Layout // of Dual; the others ignore it
	Length int    // elements of an array, or of a ring's block; 1 for Single and Dual
	Blocks int    // blocks that a ring holds

	// Transfers and Warmup count one-way transfers, to and fro together; in a
	// ring, blocks. Both are even: a trial ends where it began. (Seed: STIM_LEN.)
	Transfers int
	Warmup    int

	// Line is which of Lines places in memory the trial uses, 0 to Lines-1: one
	// pair of processors can be a third slower by one line than by another.
	Line int

	// Limit bounds the timed part of a polled trial, and its warm-up. A trial that
	// reaches it in the timed part reports how far it came.
	Limit time.Duration

	// Pause is how long a sender of form Parked works before it sends: the receiver is asleep by then.
	Pause time.Duration

	// CountPolls counts how often each element of an array was polled: form Polled (and
	// Goroutines) of Array, DualArray and Flow.
	CountPolls bool
}

// Lines is the number of places in memory that trials can use.
const Lines = 64

// Bounds of a Config.
const (
	MaxLength    = 1 << 20 // elements
	MaxBlocks    = 1 << 12
	MaxTransfers = 1 << 30
	MaxMade      = 1 << 22 // transfers and warm-up of form [EDT], which makes an EDT and an event for each beforehand
)

// Defaults returns Test 1 with 8-byte elements and the original's present STIM_LEN of 20000 transfers.
func Defaults() Config {
	return Config{
		Test: Single, Form: Polled, Width: 8, Layout: Same, Length: 1, Blocks: 8,
		Transfers: 20000, Warmup: 1000, Limit: 5 * time.Second, Pause: 30 * time.Microsecond,
	}
}

// Validate returns a [*trial.ConfigError] for a Config that cannot be run.
func (c Config) Validate() error {
	length := trial.Range("lengths", c.Length, 1, MaxLength)
	if !c.Test.HasLength() {
		length = trial.Refuse(c.Length != 1, "lengths", c.Length, fmt.Sprintf("1 for test %s", c.Test))
	}
	return trial.First("c2c",
		trial.OneOf("test", c.Test, Tests()...),
		trial.OneOf("forms", c.Form, Forms()...),
		trial.Refuse(!c.Form.Has(c.Test), "forms", c.Form, fmt.Sprintf("one that test %s has", c.Test)),
		trial.OneOf("width", c.Width, Widths()...),
		trial.OneOf("layout", c.Layout, Layouts()...),
		trial.Refuse(c.Test == Dual && c.Form.Tasks() && c.Layout == Same, "layout", c.Layout,
			fmt.Sprintf("%s with form %s: EDTs pass on blocks of their own", Separate, c.Form)),
		length,
		trial.Range("ring-blocks", c.Blocks, 1, MaxBlocks),
		transfers("stim-len", c.Transfers),
		transfers("warmup", c.Warmup),
		trial.Refuse(c.Form == EDT && c.Transfers+c.Warmup > MaxMade, "stim-len", c.Transfers,
			fmt.Sprintf("at most %d, warm-up included, with form %s, which makes all EDTs beforehand", MaxMade, EDT)),
		trial.Refuse(c.CountPolls && (!c.Test.countsPolls() || c.Form.Tasks() || c.Length > MaxCounted),
			"count-polls", c.CountPolls,
			fmt.Sprintf("with test array, dual-array or flow, form polled or goroutines, and at most %d elements",
				MaxCounted)),
		trial.Range("lines", c.Line, 0, Lines-1),
		trial.Refuse(c.Limit <= 0, "limit", c.Limit, "above 0"),
		trial.Refuse(c.Pause < 0, "pause", c.Pause, "0 or more"),
	)
}

// transfers refuses a number of transfers after which a trial would not end where it began.
func transfers(flag string, n int) *trial.ConfigError {
	return trial.Refuse(n < 2 || n > MaxTransfers || n%2 != 0, flag, n, fmt.Sprintf("even, 2..%d", MaxTransfers))
}

// look returns the transfer of the warm-up at which each end looks at its thread, by a system call or two: 64
// transfers later, when the clocks start, the ends are in step again.
func (c Config) look() uint64 { return uint64(max(c.Warmup-64, 0)) }

// ringValue returns what the elements of a ring's block k hold, cut to their width: one more than in the same place the
// last time round, however many blocks there are.
func (c Config) ringValue(k uint64) uint64 {
	blocks := uint64(c.Blocks)
	return k%blocks + k/blocks + 1
}

// Payload returns the bytes that one transfer moves.
func (c Config) Payload() int { return c.Width * c.Length }
