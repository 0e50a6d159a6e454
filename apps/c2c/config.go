package c2c

import (
	"fmt"
	"time"
)

// Config describes one trial: two ends, A and B, exchange Warmup transfers that are
// not timed and then Transfers that are. Defaults returns the seed's values; New
// wants a Config that Validate accepts.
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
	// reaches it in the timed part reports how far it came: two ends on one
	// processor take a scheduler's turn for every transfer.
	Limit time.Duration

	// Pause is how long a sender of form Parked works before it sends, so that
	// the receiver is asleep by then.
	Pause time.Duration

	System System
}

// Lines is the number of places in memory that trials can use.
const Lines = 64

// Bounds of a Config.
const (
	MaxLength    = 1 << 20 // elements
	MaxBlocks    = 1 << 12
	MaxTransfers = 1 << 30
)

// Defaults returns the seed's parameters for Test 1 with 8-byte elements.
func Defaults() Config {
	return Config{
		Test: Single, Form: Polled, Width: 8, Layout: Same, Length: 1, Blocks: 8,
		Transfers: 20000, Warmup: 1000, Limit: 5 * time.Second, Pause: 30 * time.Microsecond,
	}
}

// A ConfigError says which field of a Config cannot be used.
type ConfigError struct {
	Field   string
	Value   string
	Allowed string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("c2c: %s %s: must be %s", e.Field, e.Value, e.Allowed)
}

// Validate returns a [*ConfigError] for a Config that cannot be run.
func (c Config) Validate() error {
	bad := func(field string, value any, format string, args ...any) error {
		return &ConfigError{field, fmt.Sprint(value), fmt.Sprintf(format, args...)}
	}
	switch {
	case !known(c.Test, Tests()):
		return bad("test", c.Test, "one of %v", Tests())
	case !known(c.Form, Forms()):
		return bad("form", c.Form, "one of %v", Forms())
	case !c.Form.Has(c.Test):
		return bad("form", c.Form, "one that test %s has", c.Test)
	case !known(c.Width, Widths()):
		return bad("width", c.Width, "one of %v bytes", Widths())
	case !known(c.Layout, Layouts()):
		return bad("layout", c.Layout, "one of %v", Layouts())
	case c.Test.HasLength() && (c.Length < 1 || c.Length > MaxLength):
		return bad("length", c.Length, "1 to %d elements", MaxLength)
	case !c.Test.HasLength() && c.Length != 1:
		return bad("length", c.Length, "1 for test %s", c.Test)
	case c.Blocks < 1 || c.Blocks > MaxBlocks:
		return bad("blocks", c.Blocks, "1 to %d", MaxBlocks)
	case c.Transfers < 2 || c.Transfers > MaxTransfers || c.Transfers%2 != 0:
		return bad("transfers", c.Transfers, "even, 2 to %d", MaxTransfers)
	case c.Warmup < 2 || c.Warmup > MaxTransfers || c.Warmup%2 != 0:
		return bad("warm-up", c.Warmup, "even, 2 to %d", MaxTransfers)
	case c.Line < 0 || c.Line >= Lines:
		return bad("line", c.Line, "0 to %d", Lines-1)
	case c.Limit <= 0:
		return bad("limit", c.Limit, "above 0")
	case c.Pause < 0:
		return bad("pause", c.Pause, "0 or more")
	}
	return nil
}

// look returns the transfer of the warm-up at which each end looks at its thread. That
// takes a system call or two; afterwards the ends are in step again before the clocks
// start.
func (c Config) look() uint64 { return uint64(c.Warmup - min(c.Warmup, resume)) }

// resume is even, as every number of transfers.
const resume = 64

// ringValue returns what the elements of a ring's block k hold, cut to their width. In
// the same place it was one less the last time round, however many blocks there are.
func (c Config) ringValue(k uint64) uint64 {
	blocks := uint64(c.Blocks)
	return k%blocks + k/blocks + 1
}

// Payload returns the bytes that one transfer moves.
func (c Config) Payload() int { return c.Width * c.Length }
