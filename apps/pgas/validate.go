package pgas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/shmem"
	"ocr/apps/trial"
)

// Bounds of a Config.
const (
	maxBytes   = 1 << 30
	maxStride  = 1 << 20
	maxWindow  = 1 << 10
	maxSegment = 1 << 34
)

const appName = "pgas"

// Validate reports the first thing about c that cannot run, as a [*trial.ConfigError]. It
// does not know the run: that must have as many workers as c has PEs.
func (c Config) Validate() error {
	test, ok := Lookup(c.Test)
	if !ok {
		return trial.First(appName, trial.Refuse(true, "tests", fmt.Sprintf("%q", c.Test), testNames()))
	}
	for _, check := range []func(Test) *trial.ConfigError{
		c.checkForm, c.checkPEs, c.checkSizes, c.checkWindow, c.checkStride, c.checkTime, c.checkSegment,
	} {
		if e := check(test); e != nil {
			return trial.First(appName, e)
		}
	}
	return nil
}

func testNames() string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	return trial.Names(names)
}

// because adds the reason to a refusal.
func because(e *trial.ConfigError, reason string) *trial.ConfigError {
	if e != nil {
		e.Reason = reason
	}
	return e
}

func (c Config) checkForm(test Test) *trial.ConfigError {
	if e := trial.OneOf("forms", c.Form, Direct, EDT); e != nil {
		return e
	}
	if test.Uses.DirectOnly && c.Form != Direct {
		return because(trial.Refuse(true, "forms", c.Form, "direct"), c.Test+" is a baseline of the machine")
	}
	if len(test.Uses.Syncs) == 0 {
		return nil
	}
	return cmp.Or(
		trial.OneOf("sync", c.Sync, test.Uses.Syncs...),
		because(trial.Refuse(c.Sync == Flag && c.Form == EDT, "sync", c.Sync, "barrier, p2p"), "an EDT does not poll: the edt form has no flag in the data"),
	)
}

func (c Config) checkPEs(test Test) *trial.ConfigError {
	if e := trial.Range("pes", c.PEs, 1, shmem.MaxPEs); e != nil || !test.Uses.Pairs {
		return e
	}
	q := c.PartnerOffset
	if e := cmp.Or(
		because(trial.Refuse(c.PEs%2 != 0, "pes", c.PEs, "even numbers"), "PEs work in pairs"),
		trial.Range("partner-offset", q, 0, c.PEs/2),
	); e != nil || q == 0 {
		return e
	}
	return because(trial.Refuse(c.PEs%(2*q) != 0, "partner-offset", q, offsets(c.PEs)),
		fmt.Sprintf("the number of PEs (%d) must be a multiple of twice the offset", c.PEs))
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

func (c Config) checkSizes(test Test) *trial.ConfigError {
	if !test.Uses.Bytes {
		return nil
	}
	if e := trial.Range("sizes", c.Bytes, 1, maxBytes); e != nil {
		return e
	}
	unit, reason := 1, ""
	switch {
	case test.Uses.Type:
		if !slices.Contains(shmem.Elements, c.Type) {
			return trial.Refuse(true, "type", c.Type, trial.Names(shmem.Elements))
		}
		unit, reason = c.Type.Size(), "elements are "+c.Type.String()
	case test.Uses.Stride:
		if e := trial.OneOf("element", c.ElementBytes, 4, 8); e != nil {
			return e
		}
		unit, reason = c.ElementBytes, fmt.Sprintf("elements have %d bytes", c.ElementBytes)
	case len(test.Uses.Syncs) > 0 && c.Sync == Flag && c.Bytes != 4:
		unit, reason = 8, "the flag is the message's last word"
	}
	allowed := fmt.Sprintf("multiples of %d", unit)
	if unit == 8 && test.Uses.Syncs != nil {
		allowed = "4 and " + allowed
	}
	return because(trial.Refuse(c.Bytes%unit != 0, "sizes", c.Bytes, allowed), reason)
}

func (c Config) checkWindow(test Test) *trial.ConfigError {
	if test.Uses.Window {
		if e := cmp.Or(
			trial.Refuse(c.Window < 1 || c.Window > maxWindow || c.Window&(c.Window-1) != 0, "window", c.Window, fmt.Sprintf("powers of two, 1..%d", maxWindow)),
			trial.OneOf("completion", c.Completion, Remote, Local),
		); e != nil {
			return e
		}
	}
	if test.Uses.Stream && c.Stream {
		return trial.Range("l2", c.L2Bytes, 1, maxBytes)
	}
	return nil
}

func (c Config) checkStride(test Test) *trial.ConfigError {
	if !test.Uses.Stride {
		return nil
	}
	e := trial.Range("strides", c.Stride, 1, maxStride)
	if c.Stride < 1 {
		e = because(e, "elements would overlap")
	}
	return cmp.Or(e, trial.OneOf("strided", c.Strided, AtTarget, AtOrigin, AtBoth))
}

func (c Config) checkTime(Test) *trial.ConfigError {
	return cmp.Or(
		trial.Range("iters", c.Iterations, 0, maxIterations),
		trial.Refuse(c.MaxTime < 0, "max-time", c.MaxTime, "0 and more"),
		because(trial.Refuse(c.MaxTime == 0 && c.Iterations == 0, "max-time", c.MaxTime, "more than 0"), "nothing else says how many iterations there are"),
		because(trial.Refuse(c.MaxTime > 0 && c.MaxTime < time.Millisecond, "max-time", c.MaxTime, "0, or 1ms and more"), "the calibration needs as much"),
	)
}

// checkSegment refuses what does not fit into a segment.
func (c Config) checkSegment(test Test) *trial.ConfigError {
	if e := trial.Range("segment", c.Segment, 1, maxSegment); e != nil {
		return e
	}
	need := newPlan(c).bytes
	if need <= c.Segment {
		return nil
	}
	small := c
	small.Bytes = 8
	if !test.Uses.Bytes || newPlan(small).bytes > c.Segment {
		return because(trial.Refuse(true, "segment", c.Segment, fmt.Sprintf("%d and more", need)), fmt.Sprintf("the test needs a segment of %d bytes", need))
	}
	return because(trial.Refuse(true, "sizes", c.Bytes, "less, or --segment more"),
		fmt.Sprintf("the test needs a segment of %d bytes and has %d", need, c.Segment))
}
