package pgas

import (
	"fmt"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
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
	for _, g := range r.groups {
		for _, k := range g {
			a := app.New(r.config(k))
			r.window = max(r.window, a.WindowBytes(pool.Workers))
		}
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
