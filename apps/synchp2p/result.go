package synchp2p

import "time"

// appName names the app in errors.
const appName = "synch_p2p"

// A Result is what one run of one form measured, and whether it is right.
type Result struct {
	Config Config

	// Elapsed is the time of the timed timesteps together, TimedTimesteps of
	// them: all but the first, which warms up. With T=1 the first is the only
	// one: then it is timed, and FirstTimed says so.
	Elapsed        time.Duration
	TimedTimesteps int
	FirstTimed     bool

	// Corner is A(N-1,M-1) after the last timestep, Expected what it must be.
	Corner, Expected float64
	// CornersChecked is the number of timesteps whose corner was compared.
	CornersChecked int
	// GridChecked says that every point was compared with the serial sweep.
	GridChecked bool
	// Verified says that every comparison held.
	Verified bool
}

// PerTimestep returns the mean time of a timed timestep.
func (r Result) PerTimestep() time.Duration {
	return r.Elapsed / time.Duration(max(r.TimedTimesteps, 1))
}

// MFlops returns the rate by the Parallel Research Kernels' formula, in millions
// of floating-point operations a second; 0 where no time was measured.
func (r Result) MFlops() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return r.Config.Flops() * float64(r.TimedTimesteps) / r.Elapsed.Seconds() / 1e6
}

// NsPerEDT returns the time of a timed timestep divided by its P*W sweep EDTs, in
// nanoseconds of wall time.
func (r Result) NsPerEDT() float64 {
	edts := float64(r.Config.Ranks) * float64(r.Config.Phases) * float64(max(r.TimedTimesteps, 1))
	return float64(r.Elapsed.Nanoseconds()) / edts
}

// clock returns how many timesteps a run times and whether the first is among
// them.
func (c Config) clock() (timed int, first bool) {
	if c.Timesteps == 1 {
		return 1, true
	}
	return c.Timesteps - 1, false
}
