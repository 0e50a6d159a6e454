package main

import (
	"ocr/apps/cg"
	"ocr/apps/cholesky"
	"ocr/apps/stencil2d"
	"ocr/apps/trial"
	"ocr/apps/uts"
	"ocr/apps/wordcount"
	"ocr/harness"
)

// galleryApps are the apps of the gallery. An entry is all that a command needs: its flags are the fields of the app's
// Config that have the tag flag.
var galleryApps = []harness.Command{
	galleryApp(harness.About{
		Name:  "cholesky",
		Short: "Factor a matrix by tiles: a static graph of four kinds of EDTs",
		Long: `Factor a symmetric, positive definite matrix by tiles, A = L*L^T. Each update of a tile is an
EDT, with a kernel of gonum/blas. The factor is compared with that of form serial, and the
residual of that is verified by HPL's bound.`,
		Examples: []string{"-n 1000 --tile 50"},
		Small:    map[string]string{"size": "70", "tile": "16"},
	}, cholesky.Defaults, cholesky.New),
	galleryApp(harness.About{
		Name:  "uts",
		Short: "Search an unbalanced tree (UTS): an EDT a node, or a subtree",
		Long: `Search the tree of the Unbalanced Tree Search benchmark, a geometric one of fixed shape: a node's
SHA-1 hash says how many children it has. The default is T1, with 4130071 nodes.
Counts are compared with the benchmark's, or with those of a serial search.`,
		Examples: []string{"", "--cutoff 5"},
		Small:    map[string]string{"depth": "4"},
	}, uts.Defaults, uts.New),
	galleryApp(harness.About{
		Name:  "stencil2d",
		Short: "Relax a grid: tiles that go on step by step, halos over channel events",
		Long: `Relax a square grid: in each step every point becomes the average of its four neighbours. Each
tile has an EDT, which goes on as that of the next step when the halos of its neighbours are there.
In form edt-recorded, on request, two steps are a graph that is recorded once and run again.
The grid and each step's residual are compared with those of a plain loop.`,
		Examples: []string{"-n 1000 --tile 125 --steps 200"},
		Small:    map[string]string{"size": "40", "tile": "15", "steps": "5"},
	}, stencil2d.Defaults, stencil2d.New),
	galleryApp(harness.About{
		Name:  "cg",
		Short: "Solve HPCG's problem by conjugate gradients: an iteration with sums",
		Long: `Solve the problem of the HPCG benchmark by conjugate gradients, without preconditioner and without
a stored matrix: a grid of points, each of which is coupled with its 26 neighbours. The
grid is cut into slabs of planes. The solution is compared with that of the method written
down for whole vectors.`,
		Examples: []string{"-n 100 --tolerance 1e-9"},
		Small:    map[string]string{"size": "8", "planes": "3", "iterations": "5"},
	}, cg.Defaults, cg.New),
	galleryApp(harness.About{
		Name:  "wordcount",
		Short: "Count the words of a compressed text: map and reduce behind a pipeline",
		Long: `Count the words of a compressed text. One EDT inflates it block by block, at most so many blocks
ahead of the EDTs that count, one for each block; tables are merged at the end. The
counts are compared with those of the text as it was before.`,
		Examples: []string{"--block 16384 --ahead 4"},
		Small:    map[string]string{"text": "20000", "vocabulary": "500", "block": "2000"},
	}, wordcount.Defaults, wordcount.New),
}

// galleryForms are the forms of each app of the gallery.
var galleryForms = []string{trial.EDT, trial.Serial, trial.Pooled}

const aboutForms = `

Form edt is the task graph. The others are the same work without a runtime: serial one goroutine,
goroutines-pool one for each worker, the best that we could write. Forms are run
in turns. ratio/pool is the task graph's time by that of the pool, sample by sample: below 1 it
is faster.`

// galleryApp returns the command of an app. The flags change the Config that defaults returns; makeApp makes the App.
func galleryApp[C interface{ Validate() error }, A trial.App](
	about harness.About, defaults func() C, makeApp func(C) A,
) harness.Command {
	about.Long += aboutForms
	about.Forms = galleryForms[1:]
	return harness.New(about, defaults, makeApp)
}
