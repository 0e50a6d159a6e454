package c2c

import (
	"errors"
	"fmt"
	"time"

	"ocr/apps/trial"
)

// A Result is what one trial measured.
type Result struct {
	Config Config
	Ends   [2]End // A and B

	// Retried is the error for which [Again] ran the trial again; nil if it did not.
	Retried error
}

// An End is the result of one of the two ends of a trial.
type End struct {
	// Elapsed is the time of the timed transfers by the end's own clock: from before its first transfer to after its last.
	Elapsed time.Duration
	// CPU is the end's processor at the beginning and at the end of the trial; -1 if unknown.
	CPU [2]int
	// Preemptions counts how often the end's thread lost its processor; 0 if unknown. It includes the yields of ends that
	// share a processor.
	Preemptions int64
}

// endOf makes an End from the sights of its thread before and after.
func endOf(elapsed int64, before, after trial.Sight) End {
	return End{time.Duration(elapsed), [2]int{before.CPU, after.CPU}, after.Preemptions - before.Preemptions}
}

// OneWay returns nanoseconds per transfer by the clock of end A (0) or B (1): total time over transfers, the seed's
// formula.
func (r Result) OneWay(end int) float64 {
	return float64(r.Ends[end].Elapsed.Nanoseconds()) / float64(r.Config.Transfers)
}

// RoundTrip returns nanoseconds for a transfer and its reply: total time over half the transfers.
func (r Result) RoundTrip(end int) float64 { return 2 * r.OneWay(end) }

// Rate returns payload in bits per nanosecond, which is Gbit/s.
func (r Result) Rate() float64 { return float64(8*r.Config.Payload()) / r.OneWay(0) }

// Doubts returns reasons not to trust the figures; none for a good trial.
func (r Result) Doubts() []string {
	var doubts []string
	a, b := r.Ends[0].CPU, r.Ends[1].CPU
	switch {
	case a[0] != a[1] || b[0] != b[1]:
		doubts = append(doubts, fmt.Sprintf("an end moved during a trial: A from processor %d to %d, B from %d to %d",
			a[0], a[1], b[0], b[1]))
	case a[0] >= 0 && a[0] == b[0]:
		doubts = append(doubts,
			fmt.Sprintf("both ends ran on processor %d: figures are the system's scheduling, not a transfer", a[0]))
	}
	if r.Retried != nil {
		doubts = append(doubts, fmt.Sprintf("a trial failed and was taken again: %v", r.Retried))
	}
	return doubts
}

// Errors of a trial that has no figures.
var (
	// ErrNoMeeting says that the two ends did not run at the same time.
	ErrNoMeeting = errors.New("c2c: the two ends did not run at the same time")
	// ErrTooSlow says that the transfers were not completed within the limit.
	ErrTooSlow = errors.New("c2c: the transfers were not completed within the time limit")
)

// WrongElements returns the error of a trial in which n elements did not hold what was sent.
func (c Config) WrongElements(n uint64) error {
	return trial.Wrong("c2c", fmt.Sprintf("test %s, form %s: elements that were not sent", c.Test, c.Form), n, 0)
}

func (p *polling) result() (Result, error) {
	r := Result{Config: p.Config}
	for side := range p.reports {
		end := &p.reports[side]
		if !end.met {
			return r, ErrNoMeeting
		}
		r.Ends[side] = endOf(end.elapsed, end.before, end.after)
	}
	if p.reports[0].elapsed == 0 || p.reports[1].elapsed == 0 {
		return Result{Config: p.Config}, ErrTooSlow
	}
	return r, nil
}
