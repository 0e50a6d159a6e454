package pgas

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/shmem"
)

// ConfigError is a Config that Validate refuses: the parameter to change, the
// value it has and the values it may have.
type ConfigError struct {
	Flag    string // the command's long flag: "--pes"
	Value   string // the value it has
	Allowed string // the values it may have, the others being as they are
	Reason  string // why, where it is not the plain range; may be empty
}

// Error returns one line that names flag, value and allowed range.
func (e *ConfigError) Error() string {
	text := fmt.Sprintf("pgas: %s %s", e.Flag, e.Value)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text + ": allowed " + e.Allowed
}

// Bounds of a Config.
const (
	maxBytes   = 1 << 30
	maxStride  = 1 << 20
	maxWindow  = 1 << 10
	maxSegment = 1 << 34
)

// Validate reports the first thing about c that cannot run, as a [*ConfigError]. It
// does not know the run: that must have as many workers as c has PEs.
func (c Config) Validate() error {
	test, ok := Lookup(c.Test)
	if !ok {
		return &ConfigError{Flag: "test", Value: fmt.Sprintf("%q", c.Test), Allowed: testNames()}
	}
	for _, check := range []func(Test) *ConfigError{
		c.checkForm, c.checkPEs, c.checkSizes, c.checkWindow, c.checkStride, c.checkTime, c.checkSegment,
	} {
		if e := check(test); e != nil {
			return e
		}
	}
	return nil
}

func testNames() string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

func (c Config) checkForm(test Test) *ConfigError {
	if e := oneOf("--form", c.Form, Direct, EDT); e != nil {
		return e
	}
	if test.Uses.DirectOnly && c.Form != Direct {
		return &ConfigError{Flag: "--form", Value: string(c.Form), Allowed: "direct", Reason: c.Test + " is a baseline of the machine"}
	}
	if len(test.Uses.Syncs) == 0 {
		return nil
	}
	if e := oneOf("--sync", c.Sync, test.Uses.Syncs...); e != nil {
		return e
	}
	if c.Sync == Flag && c.Form == EDT {
		return &ConfigError{Flag: "--sync", Value: "flag", Allowed: "barrier, p2p", Reason: "an EDT does not poll: the edt form has no flag in the data"}
	}
	return nil
}

func (c Config) checkPEs(test Test) *ConfigError {
	if c.PEs < 1 || c.PEs > shmem.MaxPEs {
		return outside("--pes", c.PEs, 1, shmem.MaxPEs)
	}
	if !test.Uses.Pairs {
		return nil
	}
	q := c.PartnerOffset
	switch {
	case c.PEs%2 != 0:
		return &ConfigError{Flag: "--pes", Value: fmt.Sprint(c.PEs), Allowed: "even numbers", Reason: "PEs work in pairs"}
	case q < 0 || q > c.PEs/2:
		return outside("--partner-offset", q, 0, c.PEs/2)
	case q > 0 && c.PEs%(2*q) != 0:
		return &ConfigError{
			Flag: "--partner-offset", Value: fmt.Sprint(q), Allowed: offsets(c.PEs),
			Reason: fmt.Sprintf("the number of PEs (%d) must be a multiple of twice the offset", c.PEs),
		}
	}
	return nil
}

// offsets lists the partner offsets that a number of PEs has.
func offsets(pes int) string {
	list := []string{"0"}
	for q := 1; 2*q <= pes; q++ {
		if pes%(2*q) == 0 {
			list = append(list, fmt.Sprint(q))
		}
	}
	return strings.Join(list, ", ")
}

func (c Config) checkSizes(test Test) *ConfigError {
	if !test.Uses.Bytes {
		return nil
	}
	if c.Bytes < 1 || c.Bytes > maxBytes {
		return outside("--sizes", c.Bytes, 1, maxBytes)
	}
	unit, reason := 1, ""
	switch {
	case test.Uses.Type:
		if !slices.Contains(shmem.Elements, c.Type) {
			return &ConfigError{Flag: "--type", Value: c.Type.String(), Allowed: "int32, int64, float32, float64"}
		}
		unit, reason = c.Type.Size(), "elements are "+c.Type.String()
	case test.Uses.Stride:
		if e := oneOf("--element", c.ElementBytes, 4, 8); e != nil {
			return e
		}
		unit, reason = c.ElementBytes, fmt.Sprintf("elements have %d bytes", c.ElementBytes)
	case len(test.Uses.Syncs) > 0 && c.Sync == Flag && c.Bytes != 4:
		unit, reason = 8, "the flag is the message's last word"
	}
	if c.Bytes%unit != 0 {
		allowed := fmt.Sprintf("multiples of %d", unit)
		if unit == 8 && test.Uses.Syncs != nil {
			allowed = "4 and " + allowed
		}
		return &ConfigError{Flag: "--sizes", Value: fmt.Sprint(c.Bytes), Allowed: allowed, Reason: reason}
	}
	return nil
}

func (c Config) checkWindow(test Test) *ConfigError {
	if test.Uses.Window {
		if c.Window < 1 || c.Window > maxWindow || c.Window&(c.Window-1) != 0 {
			return &ConfigError{Flag: "--window", Value: fmt.Sprint(c.Window), Allowed: fmt.Sprintf("powers of two, 1..%d", maxWindow)}
		}
		if e := oneOf("--completion", c.Completion, Remote, Local); e != nil {
			return e
		}
	}
	if test.Uses.Stream && c.Stream && (c.L2Bytes < 1 || c.L2Bytes > maxBytes) {
		return outside("--l2", c.L2Bytes, 1, maxBytes)
	}
	return nil
}

func (c Config) checkStride(test Test) *ConfigError {
	if !test.Uses.Stride {
		return nil
	}
	if c.Stride < 1 || c.Stride > maxStride {
		e := outside("--strides", c.Stride, 1, maxStride)
		e.Reason = "elements would overlap"
		if c.Stride > 0 {
			e.Reason = ""
		}
		return e
	}
	return oneOf("--strided", c.Strided, AtTarget, AtOrigin, AtBoth)
}

func (c Config) checkTime(Test) *ConfigError {
	switch {
	case c.Iterations < 0 || c.Iterations > maxIterations:
		return outside("--iters", c.Iterations, 0, maxIterations)
	case c.MaxTime < 0:
		return &ConfigError{Flag: "--max-time", Value: c.MaxTime.String(), Allowed: "0 and more"}
	case c.MaxTime == 0 && c.Iterations == 0:
		return &ConfigError{Flag: "--max-time", Value: "0s", Allowed: "more than 0", Reason: "nothing else says how many iterations there are"}
	case c.MaxTime > 0 && c.MaxTime < time.Millisecond:
		return &ConfigError{Flag: "--max-time", Value: c.MaxTime.String(), Allowed: "0, or 1ms and more", Reason: "the calibration needs as much"}
	}
	return nil
}

// checkSegment refuses what does not fit into a segment, and names the largest size
// that does.
func (c Config) checkSegment(test Test) *ConfigError {
	if c.Segment < 1 || c.Segment > maxSegment {
		return outside("--segment", c.Segment, 1, maxSegment)
	}
	need := newPlan(c).bytes
	if need <= c.Segment {
		return nil
	}
	e := &ConfigError{
		Flag: "--sizes", Value: fmt.Sprint(c.Bytes),
		Reason: fmt.Sprintf("the test needs a segment of %d bytes and has %d", need, c.Segment),
	}
	if !test.Uses.Bytes || c.largestFitting() == 0 {
		e.Flag, e.Value, e.Allowed = "--segment", fmt.Sprint(c.Segment), fmt.Sprintf("%d and more", need)
		return e
	}
	e.Allowed = fmt.Sprintf("up to %d with the other parameters as they are", c.largestFitting())
	return e
}

// largestFitting returns the largest size that fits the segment, in units of 8
// bytes; 0 if there is none.
func (c Config) largestFitting() int {
	low, high := 0, c.Bytes/8+1
	for high-low > 1 {
		middle := low + (high-low)/2
		if c.Bytes = 8 * middle; newPlan(c).bytes <= c.Segment {
			low = middle
		} else {
			high = middle
		}
	}
	return 8 * low
}

func outside(flag string, value, low, high int) *ConfigError {
	return &ConfigError{Flag: flag, Value: fmt.Sprint(value), Allowed: fmt.Sprintf("%d..%d", low, high)}
}

// oneOf refuses a value that is not in a list.
func oneOf[T comparable](flag string, value T, allowed ...T) *ConfigError {
	if slices.Contains(allowed, value) {
		return nil
	}
	var names []string
	for _, v := range allowed {
		names = append(names, fmt.Sprint(v))
	}
	return &ConfigError{Flag: flag, Value: fmt.Sprintf("%q", fmt.Sprint(value)), Allowed: strings.Join(names, ", ")}
}
