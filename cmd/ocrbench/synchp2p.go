package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	synchapp "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/core/sys"
	"ocr/internal/measure/suite/synchp2p"
)

var synchP2PApp = &command.Command{
	Name:  synchp2p.Name,
	Group: command.Seeds,
	Short: "Pipelined sweeps over a grid (PRK), strips linked by events",
	Long: `Sweep a grid of N = B*W+1 rows and M = P*K columns T times. The columns are cut into P strips,
PRK's ranks. An EDT sweeps a block of B rows of its strip and sends the right edge on to the next
strip; the corner goes back to the first strip. The first timestep is a warm-up and is not timed.

Forms: in edt an EDT creates the next one of its strip, as the seed's do; in edt-again it goes on as
that one; edt-recorded runs a recorded timestep; serial is a plain loop on one processor, and
goroutines has one for each strip. "times serial" is the median of a form's times over serial's by
round: below 1 the form is faster than one processor is alone. A message has a sticky event of its
own, or with --channels each link one channel event. apps/synchp2p/README.md says more.`,
	Examples: []string{
		"",
		"-P 2 --columns 1000 -B 10 -W 100 --workers 2",
		"--forms edt,edt-again,edt-recorded,goroutines --workers 1",
		"--channels --forms edt --samples 20 --format json -o run.json",
	},
	Has:    command.App,
	Define: synchCommand,
}

func synchCommand(f *command.Flags) command.Body {
	cfg := synchp2p.Defaults()
	p := &cfg.Problem
	whole := func(v *int, most int, name, letter, usage string) {
		f.VarP(cli.Whole(v, 1, most), name, letter, usage)
	}
	whole(&p.Strips, synchapp.MaxStrips, "strips", "P", "strips of columns, each a chain of EDTs")
	whole(&p.ColumnsPerStrip, math.MaxInt32, "columns-per-strip", "K", "columns of a strip")
	whole(&p.RowsPerBlock, math.MaxInt32, "rows-per-block", "B", "rows that an EDT sweeps")
	whole(&p.Phases, math.MaxInt32, "phases", "W", "blocks of rows in a timestep")
	whole(&p.Timesteps, math.MaxInt32, "timesteps", "T", "sweeps of the whole grid")
	whole(&p.Columns, math.MaxInt32, "columns", "",
		"columns in all, at least P, in place of P*K")
	f.Var(cli.Choice(&p.Place, synchapp.PlaceBlock, synchapp.PlaceCyclic, synchapp.PlaceNone), "place",
		"how strips are placed on workers: block, cyclic, none")
	f.BoolVar(&p.Channels, "channels", false, "link strips by channel events in forms edt and edt-again")
	f.Var(cli.List(&cfg.Forms, synchp2p.Forms()), "forms",
		"`LIST` of what to run against each other: "+trial.Names(synchp2p.Forms()))
	f.Verdict = func() error {
		if !f.Changed("forms") && (p.Channels || f.Ranks > 1) { // recorded graphs have no channels, and one rank
			cfg.Forms = slices.DeleteFunc(cfg.Forms, func(form synchapp.Form) bool { return form == synchapp.EDTRecorded })
		}
		if err := synchConflicts(f, cfg); err != nil {
			return err
		}
		if f.Changed("columns") && !f.Changed("strips") {
			p.Strips = min(p.Strips, p.Columns)
		}
		return p.Validate(sys.TotalMemory() / 4 * 3)
	}
	return command.Suite(synchp2p.Run, &cfg)
}

// synchConflicts refuses flags that exclude other flags on the command line, or have no effect beside them.
func synchConflicts(f *command.Flags, cfg synchp2p.Config) error {
	forms := func(are func(synchapp.Form) bool) bool { return slices.ContainsFunc(cfg.Forms, are) }
	recorded := slices.Contains(cfg.Forms, synchapp.EDTRecorded)
	return cmp.Or(
		f.RefuseIf(f.Changed("columns"), "columns-per-strip", fmt.Sprintf(
			"cannot be had together with --columns %d, which is in place of P*K", cfg.Problem.Columns)),
		f.RefuseIf(!forms(synchapp.Form.IsGraph), "place", "must be with a form that is a task graph"),
		f.RefuseIf(cfg.Problem.Place == synchapp.PlaceNone && f.Ranks > 1, "place", stayOnRank),
		f.RefuseIf(recorded, "channels", "cannot be had together with form edt-recorded, which links strips by edges"),
		f.RefuseRecorded(recorded),
		f.RefuseIf(!forms(synchapp.Form.HasEvents), "channels", "must be with form edt or edt-again"))
}
