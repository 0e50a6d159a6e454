package synchp2p

import "time"

// A Result is the result of one run of one form.
type Result struct {
	Config Config

	// Elapsed is the time of the timed timesteps together, TimedTimesteps of them: all but the first, which warms up.
	// With T=1 the first is the only one, and timed.
	Elapsed        time.Duration
	TimedTimesteps int

	// Checksum is A(N-1,M-1) after the last timestep.
	Checksum float64
}

// MFlops returns the rate by the Parallel Research Kernels' formula, in millions of floating-point operations a
// second; 0 if no time was measured.
func (r Result) MFlops() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return r.Config.Flops() * float64(r.TimedTimesteps) / r.Elapsed.Seconds() / 1e6
}

// NsPerEDT returns the time of a timed timestep divided by its P*W sweep EDTs, in nanoseconds of wall time.
func (r Result) NsPerEDT() float64 {
	edts := float64(r.Config.Ranks) * float64(r.Config.Phases) * float64(max(r.TimedTimesteps, 1))
	return float64(r.Elapsed.Nanoseconds()) / edts
}
