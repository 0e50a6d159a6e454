package pgas

import (
	"encoding/json"
	"time"

	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// An App is one test: give Main to runtime.Run, with at least as many workers as PEs, then call Result. It serves one
// run at a time, and may run again.
type App struct {
	plan   *plan
	result Result
	err    error
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(c Config) *App { return &App{plan: newPlan(c), err: trial.ErrIncomplete} }

// Main returns the main EDT, which starts the PEs.
func (a *App) Main() edt.Func {
	a.err = trial.ErrIncomplete
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.result, a.err = Result{Config: a.plan.Config}, trial.ErrIncomplete
		program := directProgram
		if a.plan.Form == EDT {
			program = flowProgram
		}
		shmem.Run(c, a.config(), program)
		return guid.Null
	}
}

func (a *App) config() shmem.Config {
	arg, err := json.Marshal(a.plan.Config) // text for the PEs, which may be on other ranks
	if err != nil {
		panic(err)
	}
	return shmem.Config{
		PEs: a.plan.PEs, Bytes: a.plan.segmentBytes(), Arg: arg, Done: a.plan.Done,
		End: func(segment []byte) { a.result, a.err = a.plan.result(segment) },
	}
}

// WindowBytes returns the argument of runtime.Window for each rank of perRank PEs, in a run over several ranks.
func (a *App) WindowBytes(perRank int) int { return shmem.WindowBytes(a.config(), perRank) }

// Result returns what the last run measured. Call it after the run. The error is a [*trial.VerifyError], together with
// the figures, or [trial.ErrIncomplete]. A cancelled run may end without an error, if its PEs saw the cancellation
// before the runtime did.
func (a *App) Result() (Result, error) { return a.result, a.err }

// Result is the result of one run of one test.
type Result struct {
	Config  Config
	Elapsed []time.Duration // time of the timed part of each PE that calls, with the completion of its puts
	Slices  []float64       // ns of an iteration, in each slice of each PE that calls
	// Checked is the number of bytes that were compared after the timed part.
	Checked  int
	Verified bool
}

// add adds the times of a PE: its begin, and the end of each of its slices, which have this number of iterations.
func (r *Result) add(times []int64, slice int) {
	last := len(times) - 1
	for k := range last {
		n := min(slice, r.Config.Iterations-k*slice)
		r.Slices = append(r.Slices, float64(times[k+1]-times[k])/float64(n))
	}
	r.Elapsed = append(r.Elapsed, time.Duration(times[last]-times[0]))
}

// Mean is the mean of the timed parts.
func (r Result) Mean() time.Duration {
	var sum time.Duration
	for _, t := range r.Elapsed {
		sum += t
	}
	return sum / time.Duration(max(len(r.Elapsed), 1))
}

// MeanNs is the time of an iteration by the seed's formula, (t2 - t1)/N, as the mean over the PEs that call.
func (r Result) MeanNs() float64 {
	return float64(r.Mean().Nanoseconds()) / float64(r.Config.Iterations)
}

// MBPerSecond returns the bandwidth of all PEs that call together: the sum of M N / (t2 - t1), the seed's formula, in
// 10^6 bytes of payload a second, as in OSU's benchmarks. (The seed's MB has 2^20 bytes.)
func (r Result) MBPerSecond() (sum float64) {
	for _, t := range r.Elapsed {
		sum += float64(r.Config.Bytes) / 1e6 * float64(r.Config.Iterations) / max(t.Seconds(), 1e-9)
	}
	return sum
}
