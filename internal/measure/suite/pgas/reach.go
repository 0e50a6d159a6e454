package pgas

import (
	"fmt"
	"slices"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/command/cli"
	"ocr/internal/show/report"
)

// reach finds out how PEs reach each other's segments: in memory, or by MPI's one-sided operations in windows that are
// large enough for all that is measured.
func (r *run) reach() error {
	pool := r.bed.Pool
	direct, err := pool.Direct()
	switch {
	case err != nil || direct:
		return err
	case !pool.OneSided():
		return &trial.ConfigError{
			App: name, Flag: "ranks", Value: fmt.Sprint(pool.Ranks), Reason: "PEs use each other's memory, which not all " +
				"processes could map",
			Allowed: "1, or be processes that mpirun has started, with --engine mpi",
		}
	}
	left := 0
	for i, g := range r.groups {
		r.groups[i] = slices.DeleteFunc(g, func(k key) bool { return k.test == Copy })
		left += len(r.groups[i])
		for _, k := range r.groups[i] {
			a := app.New(r.config(k))
			r.window = max(r.window, a.WindowBytes(pool.Workers))
		}
	}
	if left == 0 {
		return cli.Usagef("test %s: PEs of several ranks have no memory in common over MPI: must be another test", Copy)
	}
	if slices.Contains(r.cfg.Baselines, Copy) || slices.Contains(r.cfg.Tests, Copy) {
		r.bed.Note("left out: " + Copy + ": PEs of several ranks have no memory in common over MPI")
	}
	return nil
}

// segments is how PEs reach those of others, if they are of several ranks.
func (r *run) segments() report.Config {
	switch {
	case r.bed.Pool.Ranks == 1:
		return nil
	case r.window > 0:
		return report.Settings("segments", "MPI one-sided")
	}
	return report.Settings("segments", "mapped")
}
