package main

import (
	"context"
	"maps"

	"github.com/spf13/cobra"

	"ocr/apps/cholesky"
	"ocr/apps/nqueens"
	"ocr/apps/trial"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/suite/gallery"
)

// galleryApps are the apps of the gallery. Its flags a command makes of the app's Config.
var galleryApps = []app{
	galleryApp(about{
		name:  "nqueens",
		short: "Count the ways to place n queens on a board: a tree of EDTs and a sum",
		long: `Count the ways in which n queens can stand on an n by n board so that none attacks
another. Each board with fewer queens than the cut-off is an EDT, which creates one for each
board with a queen more; at the cut-off an EDT places the other queens by itself.
The count is compared with the known one.`,
		example: "  ocrbench nqueens -n 14 --cutoff 3",
		small:   map[string]string{"n": "7", "cutoff": "3"},
	}, nqueens.Defaults, nqueens.New),
	galleryApp(about{
		name:  "cholesky",
		short: "Factor a matrix by tiles: a static graph of four kinds of EDTs",
		long: `Factor a symmetric, positive definite matrix by tiles, A = L*L^T. Each update of a tile is an
EDT, with a kernel of gonum/blas. The residual is compared with the bound of HPL.`,
		example: "  ocrbench cholesky -n 1000 --tile 50",
		small:   map[string]string{"size": "70", "tile": "16"},
	}, cholesky.Defaults, cholesky.New),
}

// about is what users read of an app of the gallery, and the flags of a short run.
type about struct {
	name, short, long, example string
	small                      map[string]string
}

const galleryForms = `

Form edt is the task graph. The others are the same work without a runtime: serial a plain
loop, goroutines-naive a goroutine for each task, goroutines-pool a goroutine for
each worker, the best that we could write. Forms are run in turns. ratio/naive and ratio/pool
are the task graph's time by that of goroutines, sample by sample: below 1 it is faster.`

// galleryApp is an app of the gallery: a Config is made of flags, and an App of a Config.
func galleryApp[C interface{ Validate() error }, A trial.App](about about, defaults func() C, makeApp func(C) A) app {
	return app{name: about.name, short: about.short, small: about.small, command: func(s *session) *cobra.Command {
		cmd := &cobra.Command{Use: about.name, Long: about.long + galleryForms, Example: about.example, Args: cli.NoArgs}
		config, forms := defaults(), gallery.Forms()
		fs := cmd.Flags()
		cli.StructFlags(fs, &config)
		fs.Var(cli.List(&forms, gallery.Forms(), "", ""), "forms", "`LIST` of what to run against each other: "+list(gallery.Forms()))
		f := s.flagsOf(cmd)
		f.workerFlags()
		f.sampleFlags()
		f.documentFlags()
		f.observeFlags()
		eased := map[string]string{"forms": gallery.EDT}
		maps.Copy(eased, about.small)
		f.runFlags(aptness{eased: eased})
		cmd.RunE = f.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
			if err := config.Validate(); err != nil {
				return err
			}
			d, err := gallery.Run(ctx, bed, gallery.Config{
				Name: about.name, Parameters: cli.StructSettings(&config), App: makeApp(config), Forms: forms,
			})
			return out.Write(d, err)
		})
		return cmd
	}}
}
