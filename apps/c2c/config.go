package c2c

import (
	"fmt"
	"time"

	"ocr/apps/trial"
)

// Config describes one trial: two ends, A and B, exchange Warmup transfers that are not timed, and then Transfers that
// are timed.
type Config struct {
	Test   Test
	Form   Form
	Width  int // bytes of an element: 1, 2, 4 or 8
	Length int // elements of an array; 1 for Single and Dual

	// Transfers and Warmup count one-way transfers, those of both ends together. Both are even: the last transfer is a
	// reply. (Seed: STIM_LEN.)
	Transfers int
	Warmup    int

	// Line selects the place in memory for the trial, 0 to Lines-1: for one pair of processors one line can be a third
	// slower than another.
	Line int

	// Limit bounds each of three parts of a polled trial: the wait of an end for the other, the warm-up, and the timed
	// part.
	Limit time.Duration
}

// Lines is the number of places in memory that trials can use.
const Lines = 64

// Bounds of a Config.
const (
	MaxLength    = 1 << 20 // elements
	MaxTransfers = 1 << 21 // and warm-ups: form [EDT] creates an EDT and an event for each beforehand
)

// Defaults returns Test 1 with 8-byte elements and the seed's present STIM_LEN of 20000 transfers.
func Defaults() Config {
	return Config{
		Test: Single, Form: Polled, Width: 8, Length: 1, Transfers: 20000, Warmup: 1000,
		Limit: 5 * time.Second,
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
		trial.OneOf("width", c.Width, Widths()...),
		length,
		transfers("stim-len", c.Transfers),
		transfers("warmup", c.Warmup),
		trial.Range("lines", c.Line, 0, Lines-1),
		trial.Refuse(c.Limit <= 0, "limit", c.Limit, "above 0"),
	)
}

// transfers refuses a number of transfers that is odd or out of range.
func transfers(flag string, n int) *trial.ConfigError {
	return trial.Refuse(n < 2 || n > MaxTransfers || n%2 != 0, flag, n, fmt.Sprintf("even, 2..%d", MaxTransfers))
}

// Payload returns the bytes that one transfer moves.
func (c Config) Payload() int { return c.Width * c.Length }
