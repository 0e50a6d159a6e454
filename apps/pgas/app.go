package pgas

import (
	"cmp"

	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one run of one test, one sample: give Main to runtime.Run, with at least as many workers as PEs, then ask
// for the Result. It serves one run at a time and may be run again.
type App struct {
	cfg     Config
	plan    *plan
	tallies []tally // by PE; nil if they have not all ended
	checked int
	wrong   error // a *trial.VerifyError
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg, plan: newPlan(cfg)} }

// Result returns what the last run measured. It is called after the run. The error is a [*trial.VerifyError], beside
// the figures, or [trial.ErrIncomplete]. A run that was cancelled may end without an error, if its PEs saw that first.
func (a *App) Result() (Result, error) {
	r := Result{Config: a.cfg}
	if a.tallies == nil {
		return r, trial.ErrIncomplete
	}
	for pe := range a.tallies {
		t := &a.tallies[pe]
		if !a.plan.active(pe) {
			continue
		}
		r.Iterations, r.Warmup = t.iterations, t.warmup
		t.timing.PE, t.timing.Partner = pe, a.plan.partner(pe)
		r.Origins = append(r.Origins, t.timing)
	}
	r.Checked, r.Verified = a.checked, !a.cfg.NoVerify && a.wrong == nil
	return r, a.wrong
}

// Main returns the main EDT: it makes the segments, starts the PEs and has the last EDT wait for all of them.
func (a *App) Main() edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.tallies, a.wrong, a.checked = nil, nil, 0
		world := shmem.NewWorld(c, a.world())
		program := directProgram
		if a.cfg.Form == EDT {
			program = flowProgram
		}
		a.startCollect(c, world, world.Run(c, program))
		return guid.Null
	}
}

func (a *App) world() shmem.Config {
	return shmem.Config{
		PEs: a.cfg.PEs, Bytes: a.plan.agreementAt() + line, Arg: a.cfg.marshal(), Wait: a.cfg.Wait, Done: a.cfg.Done,
		Transport: a.cfg.transport,
	}
}

// WindowBytes returns the bytes of runtime.Window for each rank of perRank PEs, if the ranks do not have blocks in
// place.
func (a *App) WindowBytes(perRank int) int { return shmem.WindowBytes(a.world(), perRank) }

// startCollect makes the EDT that comes last: it verifies, and destroys everything.
func (a *App) startCollect(c *edt.Ctx, world *shmem.World, ended guid.GUID) {
	deps := world.Sources()
	var collect *edt.Template
	collect = c.NewTemplate("pgas.collect", 0, len(deps)+1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		a.collect(world, in)
		world.Destroy(c)
		c.DestroyTemplate(collect)
		return guid.Null
	})
	c.NewEDT(collect, nil, append(deps, edt.From(ended, datablock.Null))...)
}

// collect reads the tallies. If a PE was stopped before its end, there is nothing to verify.
func (a *App) collect(world *shmem.World, in edt.Args) {
	segments := make([][]byte, a.cfg.PEs)
	totals := make([]int, a.cfg.PEs)
	tallies := make([]tally, a.cfg.PEs)
	for pe := range segments {
		segment, ended := world.Segment(in.Dep(pe)), false
		if tallies[pe], ended = reported(segment[a.plan.reportAt():]); !ended {
			return
		}
		segments[pe] = segment[:a.plan.bytes]
		totals[pe] = tallies[pe].total
		a.wrong = cmp.Or(a.wrong, tallies[pe].wrong)
	}
	a.tallies = tallies
	if a.cfg.Sabotage != nil {
		a.cfg.Sabotage(segments)
	}
	if !a.cfg.NoVerify && a.wrong == nil {
		a.checked, a.wrong = a.plan.verify(segments, totals)
	}
}
