package pgas

import (
	"cmp"
	"fmt"
	"time"

	"ocr/apps/shmem"
	"ocr/apps/trial"
)

// Bounds of a Config.
const (
	maxBytes   = 1 << 30
	maxStride  = 1 << 20
	maxSegment = 1 << 34
)

const appName = "pgas"

// Validate reports the first thing about c that cannot run, as a [*trial.ConfigError]; it does not check the run's
// number of workers.
func (c Config) Validate() error {
	test, ok := Lookup(c.Test)
	e, u := trial.Refuse(!ok, "tests", fmt.Sprintf("%q", c.Test), trial.Names(tests)), test.Uses
	if e == nil {
		e = cmp.Or(c.checkForm(u), c.checkPEs(u), c.checkSizes(u, test.Kind == Reduction), c.checkStride(u),
			c.checkTime())
	}
	if e == nil {
		e = c.checkSegment()
	}
	return trial.First(appName, e)
}

// because refuses a parameter that is wrong, with the reason.
func because(reason string, wrong bool, flag string, value any, allowed string) *trial.ConfigError {
	e := trial.Refuse(wrong, flag, value, allowed)
	if e != nil {
		e.Reason = reason
	}
	return e
}

// when returns the first refusal of parameters, if the test uses them.
func when(used bool, checks ...*trial.ConfigError) *trial.ConfigError {
	if !used {
		return nil
	}
	return cmp.Or(checks...)
}

func (c Config) checkForm(u Uses) *trial.ConfigError {
	return cmp.Or(
		trial.OneOf("forms", c.Form, Direct, EDT),
		when(len(u.Syncs) > 0,
			trial.OneOf("sync", c.Sync, u.Syncs...),
			because("an EDT does not poll: the edt form has no flag in the data", c.Sync == Flag && c.Form == EDT,
				"sync", c.Sync, string(Pairwise))),
	)
}

func (c Config) checkPEs(u Uses) *trial.ConfigError {
	if e := trial.Range("pes", c.PEs, 1, shmem.MaxPEs); e != nil || !u.Pairs {
		return e
	}
	return because("PEs work in pairs", c.PEs%2 != 0, "pes", c.PEs, "even numbers")
}

func (c Config) checkSizes(u Uses, reduces bool) *trial.ConfigError {
	if e := trial.Range("sizes", c.Bytes, 1, maxBytes); e != nil {
		return e
	}
	unit, reason, allowed := 1, "", "multiples of %d"
	switch {
	case reduces || u.Stride:
		unit, reason = ElementBytes, fmt.Sprintf("elements have %d bytes", ElementBytes)
	case len(u.Syncs) > 0 && c.Sync == Flag && c.Bytes != 4:
		unit, reason, allowed = 8, "the flag is the message's last word", "4 and multiples of %d"
	}
	return because(reason, c.Bytes%unit != 0, "sizes", c.Bytes, fmt.Sprintf(allowed, unit))
}

func (c Config) checkStride(u Uses) *trial.ConfigError {
	overlap := ""
	if c.Stride < 1 {
		overlap = "elements would overlap"
	}
	return when(u.Stride, because(overlap, c.Stride < 1 || c.Stride > maxStride, "strides", c.Stride,
		fmt.Sprintf("1..%d", maxStride)))
}

func (c Config) checkTime() *trial.ConfigError {
	return cmp.Or(
		trial.Range("iters", c.Iterations, 0, maxIterations),
		trial.Refuse(c.MaxTime < 0, "max-time", c.MaxTime, "0 and more"),
		because("nothing else says how many iterations there are", c.MaxTime == 0 && c.Iterations == 0,
			"max-time", c.MaxTime, "more than 0"),
		because("the calibration needs as much", c.MaxTime > 0 && c.MaxTime < time.Millisecond,
			"max-time", c.MaxTime, "0, or 1ms and more"),
	)
}

// checkSegment refuses what does not fit into a segment.
func (c Config) checkSegment() *trial.ConfigError {
	if e := trial.Range("segment", c.Segment, 1, maxSegment); e != nil {
		return e
	}
	need := newPlan(c).bytes
	if need <= c.Segment {
		return nil
	}
	reason := fmt.Sprintf("the test needs a segment of %d bytes", need)
	small := c
	small.Bytes = 8
	if newPlan(small).bytes > c.Segment {
		return because(reason, true, "segment", c.Segment, fmt.Sprintf("%d and more", need))
	}
	return because(fmt.Sprintf("%s and has %d", reason, c.Segment), true, "sizes", c.Bytes, "less")
}
