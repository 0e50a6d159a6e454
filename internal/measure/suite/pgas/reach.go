package pgas

import (
	app "ocr/apps/pgas"
	"ocr/internal/show/report"
)

// reach finds out how PEs reach each other's segments: in memory, or by MPI's one-sided operations in windows that are
// large enough for all that is measured.
func (r *run) reach() error {
	pool := r.bed.Pool
	if pool.Ranks == 1 {
		return nil
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
	if r.bed.Pool.Ranks == 1 {
		return nil
	}
	return report.Settings("segments", "MPI one-sided")
}
