package cbaseline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Test names an exchange of the suite. A is the thread on the first processor; it
// starts.
type Test string

// The tests. Transfers count one way; in Flow, Blocked and Ring they are A's
// arrays or blocks, and B's answer is part of the transfer.
const (
	Single    Test = "single"     // both poll and write one word
	Dual      Test = "dual"       // each polls the other's word
	Array     Test = "array"      // as Single, an array: polled and stored in order
	DualArray Test = "dual-array" // as Dual, an array each
	Flow      Test = "flow"       // array from A to B, one word back
	Blocked   Test = "blocked"    // plain array under a valid flag, one word back, values verified
	Ring      Test = "ring"       // blocks through a bounded ring, credits back, values verified
)

var tests = []Test{Single, Dual, Array, DualArray, Flow, Blocked, Ring}

// Layout says where the two words of Dual lie.
type Layout string

// The layouts. The words of all other tests are always separate: 128 bytes apart
// or more.
const (
	Same     Layout = "same"     // on one 64-byte line, 16 bytes apart
	Separate Layout = "separate" // 128 bytes apart
)

// What a request may ask for.
const (
	Lines           = 64      // places for the words, 256 bytes apart, the first on a page
	MaxLength       = 1 << 16 // elements
	MaxRingBytes    = 1 << 24 // width times length times capacity
	MaxTransfers    = 1 << 40
	DefaultCapacity = 8 // blocks
)

// Request describes one trial.
type Request struct {
	Test      Test
	Width     int    // bytes of an element: 1, 2, 4 or 8
	Layout    Layout // of Dual; the others ignore it
	Length    int    // elements of an array or block; Single and Dual ignore it
	Line      int    // the place in memory, 0 to Lines-1
	Warmup    int    // transfers before the timed ones, in the same kernel
	Transfers int    // timed
	Capacity  int    // blocks of the ring, 0 for DefaultCapacity; the others ignore it
}

// Side is what one thread saw.
type Side struct {
	Elapsed     time.Duration // of the timed transfers, on the thread's own clock
	CPUs        [2]int        // where it ran at the end of the warm-up and after the last transfer
	Preemptions int           // involuntary context switches between the two
}

// Answer is what a trial gave.
type Answer struct {
	A, B  Side
	Wrong int // elements that B read and that did not hold their transfer's value; Blocked and Ring
}

// ErrTimeout says that a trial took longer than its limit. The program is ready for
// the next.
var ErrTimeout = errors.New("timeout")

func (r *Request) arrays() bool { return r.Test != Single && r.Test != Dual }

// line checks the request and returns it as the program reads it.
func (r Request) line() (string, error) {
	if !slices.Contains(tests, r.Test) {
		return "", fmt.Errorf("cbaseline: no test %q (allowed: %v)", r.Test, tests)
	}
	if !slices.Contains([]int{1, 2, 4, 8}, r.Width) {
		return "", fmt.Errorf("cbaseline: width %d (allowed: 1, 2, 4, 8)", r.Width)
	}
	r.fillIgnored()
	if r.Layout != Same && r.Layout != Separate {
		return "", fmt.Errorf("cbaseline: no layout %q (allowed: %s, %s)", r.Layout, Same, Separate)
	}
	if err := r.checkRanges(); err != nil {
		return "", err
	}
	return fmt.Sprintf("trial %s %d %s %d %d %d %d %d\n", r.Test, r.Width, r.Layout,
		r.Length, r.Line, r.Warmup, r.Transfers, r.Capacity), nil
}

// fillIgnored gives the fields that the test ignores a value that is right for all.
func (r *Request) fillIgnored() {
	if r.Test != Dual {
		r.Layout = Separate
	}
	if !r.arrays() {
		r.Length = 1
	}
	switch {
	case r.Test != Ring:
		r.Capacity = 1
	case r.Capacity == 0:
		r.Capacity = DefaultCapacity
	}
}

func (r *Request) checkRanges() error {
	type bound struct {
		name               string
		value, least, most int
	}
	for _, b := range []bound{
		{"length", r.Length, 1, MaxLength},
		{"line", r.Line, 0, Lines - 1},
		{"warmup", r.Warmup, 0, MaxTransfers},
		{"transfers", r.Transfers, 1, MaxTransfers},
		{"capacity", r.Capacity, 1, MaxRingBytes / max(1, r.Width*r.Length)},
	} {
		if b.value < b.least || b.value > b.most {
			return fmt.Errorf("cbaseline: %s %d (allowed: %d to %d)", b.name, b.value, b.least, b.most)
		}
	}
	return nil
}

// parseAnswer reads the program's line for a trial.
func parseAnswer(line string) (Answer, error) {
	if text, failed := strings.CutPrefix(line, "error timeout: "); failed {
		return Answer{}, fmt.Errorf("cbaseline: %w: %s", ErrTimeout, text)
	}
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return Answer{}, fmt.Errorf("cbaseline: %s", text)
	}
	var a Answer
	var end string
	n, _ := fmt.Sscanf(line+" .", "ok %d %d %d %d %d %d %d %d %d %s", &a.A.Elapsed, &a.B.Elapsed,
		&a.A.CPUs[0], &a.A.CPUs[1], &a.B.CPUs[0], &a.B.CPUs[1], &a.A.Preemptions, &a.B.Preemptions, &a.Wrong, &end)
	if n != 10 || end != "." {
		return Answer{}, fmt.Errorf("cbaseline: the C program answered %q", line)
	}
	return a, nil
}
