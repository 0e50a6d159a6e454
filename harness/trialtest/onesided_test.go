//go:build mpi

package trialtest_test

import (
	"fmt"
	"testing"

	"ocr/apps/pgas"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// oneSided runs every test of the PGAS suite in all its forms, in windows over MPI, which the job must have, and
// verifies each result. With two PEs on each rank, some pairs share memory and others do not.
func oneSided(t *testing.T, ranks int) {
	perRank := []int{1, 2}
	if ranks > 2 {
		perRank = perRank[:1] // two PEs a rank would be many for one machine
	}
	for _, workers := range perRank {
		for _, test := range pgas.Tests() {
			for _, form := range []pgas.Form{pgas.Direct, pgas.EDT} {
				syncs := test.Syncs
				if len(syncs) == 0 {
					syncs = []pgas.Sync{pgas.Pairwise}
				}
				for _, sync := range syncs {
					cfg := pgas.Defaults(test.Name)
					cfg.Form, cfg.Sync, cfg.PEs, cfg.Bytes, cfg.Iterations = form, sync, ranks*workers, 1000, 20
					cfg.Stride = 2
					if workers == 2 {
						cfg.Bytes, cfg.Stride = 8, 3
					}
					if cfg.Validate() != nil {
						continue // EDTs do not poll a flag
					}
					t.Run(fmt.Sprintf("pgas %s, %s, %s on %d with %d PEs each", test.Name, form, sync, ranks, workers),
						func(t *testing.T) {
							app := pgas.New(cfg)
							onRanks(t, ranks, app.Main(), runtime.Workers(workers), runtime.Window(app.WindowBytes(workers)))
							if result, err := app.Result(); err != nil || !result.Verified {
								t.Errorf("%v, verified %v", err, result.Verified)
							}
						})
				}
			}
		}
	}
}

// refusedWindow: a world without a window, or without room in it, ends the run with one line.
func refusedWindow(t *testing.T, ranks int) {
	cfg := pgas.Defaults("putget")
	cfg.PEs, cfg.Iterations = ranks, 1
	for bytes, want := range map[int]string{0: "PEs of several ranks need a window, see runtime.Window",
		4096: "which has 4096, see WindowBytes"} {
		err := runtime.Run(t.Context(), pgas.New(cfg).Main(), runtime.Ranks(ranks), runtime.Workers(1), runtime.Window(bytes))
		testrun.Fails(t, err, want)
	}
}
