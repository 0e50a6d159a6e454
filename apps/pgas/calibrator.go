package pgas

import (
	"slices"
	"time"
)

// A calibrator finds out what an iteration takes, and so how many there are. PE 0 alone uses
// it.
type calibrator struct {
	*plan
	each  []float64     // ns an iteration took, by batch that was long enough
	spent time.Duration // on the calibration
}

// A calibration goes on until the two fastest batches agree, or has taken too much of
// MaxTime. Whatever else the processor does makes a batch slower, never faster.
const (
	calibrationTime  = 200 * time.Microsecond // of a batch, at least
	calibrationShare = 50                     // of MaxTime, a batch needs no more
	calibrationLimit = 4                      // of MaxTime, all of it takes no more
	calibrationStep  = 4
	leastBatches     = 3
	mostBatches      = 16
	agreement        = 1.5 // the second fastest by the fastest
)

// after returns the phase that follows one that took so long on PE 0.
func (p *calibrator) after(h phase, elapsed time.Duration) phase {
	each := max(float64(elapsed)/float64(h.n), 0.1)
	switch h.kind {
	case checking:
		return p.measuring()
	case calibrate:
		return p.calibrated(h, elapsed, each)
	case warmUp:
		return phase{timed, p.corrected(h, elapsed)}
	}
	return phase{kind: over}
}

// calibrated takes a batch in.
func (p *calibrator) calibrated(h phase, elapsed time.Duration, each float64) phase {
	enough := min(calibrationTime, p.cfg.MaxTime/calibrationShare)
	cold := h.n == p.window()
	p.spent += elapsed
	if exhausted := p.spent > p.cfg.MaxTime/calibrationLimit; !exhausted {
		if (elapsed < enough || cold) && h.n < maxIterations/calibrationStep {
			return phase{calibrate, h.n * calibrationStep}
		}
	}
	p.each = append(p.each, each)
	slices.Sort(p.each)
	if !p.settled() {
		return h
	}
	return phase{warmUp, p.whole(p.fitting(p.each[0]))}
}

func (p *calibrator) settled() bool {
	n := len(p.each)
	agree := n >= leastBatches && p.each[1] <= agreement*p.each[0]
	return agree || n == mostBatches || p.spent > p.cfg.MaxTime/calibrationLimit
}

// corrected returns N again, if the warm-up was faster than the calibration.
func (p *calibrator) corrected(h phase, elapsed time.Duration) int {
	if len(p.each) == 0 {
		return h.n
	}
	warm := max(float64(elapsed)/float64(p.batch(h)), 0.1)
	return p.whole(p.fitting(min(p.each[0], warm)))
}
