package synchp2p

import (
	"fmt"
	"time"
)

// appName names the app in errors.
const appName = "synch_p2p"

// A Result is what one run of one form measured, and whether it is right.
type Result struct {
	Config Config

	// Elapsed is the time of the timed timesteps together, TimedTimesteps of them: all
	// but the first, which warms up. With T=1 the first is the only one: then it is
	// timed, and FirstTimed says so.
	Elapsed        time.Duration
	TimedTimesteps int
	FirstTimed     bool

	// Checksum is A(N-1,M-1) after the last timestep, Expected what it must be.
	Checksum, Expected float64
	// CornersChecked is the number of timesteps whose corner was compared.
	CornersChecked int
	// GridChecked says that every point was compared with the serial sweep.
	GridChecked bool
	// Verified says that every comparison held.
	Verified bool
}

// ChecksumText returns the checksum beside what it must be, for people to read.
func (r Result) ChecksumText() string {
	return fmt.Sprintf("checksum %v, expected %v", r.Checksum, r.Expected)
}

// MFlops returns the rate by the Parallel Research Kernels' formula, in millions of
// floating-point operations a second; 0 if no time was measured.
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
