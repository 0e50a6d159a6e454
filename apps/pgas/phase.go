package pgas

import (
	"slices"
	"time"
)

// A run goes through phases, each between two barriers: the checks of synchronisation,
// calibration, warm-up, and the timed part. PE 0 decides what is next, for all.
type phase struct {
	kind phaseKind
	n    int // iterations of a calibration's batch; else N
}

type phaseKind uint8

const (
	checking phaseKind = iota
	calibrate
	warmUp
	timed
	over
)

const maxIterations = 1 << 40

// firstPhase is the checks, if a test has any.
func (p *plan) firstPhase() phase {
	if p.checks() {
		return phase{checking, checkRounds}
	}
	return p.measuring()
}

// measuring is a calibration, unless the number of iterations is given and nothing bounds it.
func (p *plan) measuring() phase {
	if p.cfg.MaxTime == 0 {
		return phase{warmUp, p.cfg.Iterations}
	}
	return phase{calibrate, 1}
}

// fitting returns N, at least 1, for iterations of some nanoseconds each.
func (p *plan) fitting(each float64) int {
	bound := float64(p.cfg.MaxTime)
	if given := p.cfg.Iterations; given > 0 {
		return max(1, int(min(float64(given), bound/each)))
	}
	return max(1, int(min(bound/2/each, maxIterations)))
}

// batch returns how many iterations a phase has.
func (p *plan) batch(h phase) int {
	if h.kind == warmUp {
		return warmUps(h.n)
	}
	return h.n
}

// warmUps returns the iterations of the warm-up before N timed ones.
func warmUps(n int) int { return max(10, n/10) }

// A calibrator measures what an iteration takes, and decides how many there are. Only PE 0 uses it.
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

// after returns the phase that follows h, which took elapsed on PE 0.
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

// calibrated returns what follows a batch of the calibration.
func (p *calibrator) calibrated(h phase, elapsed time.Duration, each float64) phase {
	enough := min(calibrationTime, p.cfg.MaxTime/calibrationShare)
	cold := h.n == 1
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
	return phase{warmUp, p.fitting(p.each[0])}
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
	return p.fitting(min(p.each[0], warm))
}
