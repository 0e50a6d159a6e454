package pgas

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

// measuring is a calibration, unless the number of iterations is given and nothing
// bounds it.
func (p *plan) measuring() phase {
	if p.cfg.MaxTime == 0 {
		return phase{warmUp, p.whole(p.cfg.Iterations)}
	}
	return phase{calibrate, p.window()}
}

// fitting returns N for iterations that take so many nanoseconds.
func (p *plan) fitting(each float64) int {
	bound := float64(p.cfg.MaxTime)
	if given := p.cfg.Iterations; given > 0 {
		return int(min(float64(given), bound/each))
	}
	return int(min(bound/2/each, maxIterations))
}

// batch returns how many iterations a phase has.
func (p *plan) batch(h phase) int {
	if h.kind == warmUp {
		return p.whole(warmUps(h.n))
	}
	return h.n
}

// warmUps returns the iterations of the warm-up before N timed ones.
func warmUps(n int) int { return max(10, n/10) }

// window is how many messages are under way at a time.
func (p *plan) window() int {
	if p.test.Uses.Window {
		return p.cfg.Window
	}
	return 1
}

// whole makes a number of iterations whole windows, at least one.
func (p *plan) whole(n int) int {
	w := p.window()
	return max((n+w-1)/w, 1) * w
}
