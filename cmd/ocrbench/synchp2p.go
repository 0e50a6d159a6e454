package main

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/sys"
)

const synchName = "synch_p2p"

var synchP2P = app{
	name:    synchName,
	short:   "Pipelined sweeps over a grid (Parallel Research Kernels), ranks linked by events",
	command: func(s *session) *cobra.Command { return new(synchFlags).command(s) },
}

// The forms of synch_p2p, by the names of their results.
const (
	formEDT        = "edt"
	formEDTChannel = "edt-channel"
	formSerial     = "serial"
	formGoroutines = "goroutines"
)

// synchFlags are the flags of synch_p2p.
type synchFlags struct {
	cfg    synchp2p.Config
	counts []*wholeFlag
	events string // sticky, channel or both
	forms  string
}

func (f *synchFlags) command(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: synchName,
		Long: `Sweep a grid of N = B*W+1 rows and M = P*K columns T times. The columns are cut into
strips, one for each of P ranks; a rank sweeps a block of B rows and sends its
right edge to the next rank. The corner goes back to rank 0, which starts the
next timestep with it.

Forms: edt is the task graph with a sticky event for each message, edt-channel
the one with a channel event for each link, serial a plain loop over the whole
grid, goroutines has a goroutine for each rank, and as many threads as the others
have workers. The first timestep is a warm-up and is not timed.`,
		Example: `  ocrbench synch_p2p
  ocrbench synch_p2p -P 2 --columns 1000 -B 10 -W 100 --workers 2
  ocrbench synch_p2p --events both --forms edt --samples 20 --format json -o run.json`,
		Args: noArgs,
	}
	f.cfg = synchp2p.Defaults()
	f.whole(cmd, &f.cfg.Ranks, "ranks", "P", "ranks, each a strip of columns and a chain of EDTs")
	f.whole(cmd, &f.cfg.ColumnsPerRank, "columns-per-rank", "K", "columns of a strip")
	f.whole(cmd, &f.cfg.RowsPerBlock, "rows-per-block", "B", "rows that an EDT sweeps")
	f.whole(cmd, &f.cfg.Phases, "phases", "W", "blocks of rows in a timestep")
	f.whole(cmd, &f.cfg.Timesteps, "timesteps", "T", "sweeps of the whole grid")
	f.whole(cmd, &f.cfg.Columns, "columns", "", "columns in all, at least P, in place of P*K")
	place := string(f.cfg.Place)
	s.choiceVar(cmd, &place, "place", place, []string{"block", "cyclic", "none"}, "how ranks are placed on workers")
	s.choiceVar(cmd, &f.events, "events", "sticky", []string{"sticky", "channel", "both"}, "what links the ranks in form edt")
	fs := cmd.Flags()
	f.forms = strings.Join([]string{formEDT, formSerial, formGoroutines}, ",")
	fs.Var(&words{&f.forms, []string{formEDT, formEDTChannel, formSerial, formGoroutines}}, "forms", "`LIST` of what to run against each other: edt, edt-channel, serial, goroutines")
	fs.BoolVar(&f.cfg.CheckGrid, "check-grid", false, "compare every point of the grid after a run, beside the corner of every timestep")
	s.workerFlags(cmd)
	s.sampleFlags(cmd)
	s.outputFlags(cmd, report.Formats()...)
	s.observeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		f.cfg.Place = synchp2p.Placement(place)
		if s.options.noVerify && f.cfg.CheckGrid {
			return usagef("--check-grid: cannot be had together with --no-verify")
		}
		if err := f.validate(s); err != nil {
			return err
		}
		bed, err := s.prepare(cmd)
		if err != nil {
			return err
		}
		return s.measure(cmd.Context(), bed, f.experiment(bed.pool, !s.options.noVerify))
	}
	return cmd
}

// whole defines a flag for one count of the problem. Its range depends on the
// others, so that Config.Validate checks it.
func (f *synchFlags) whole(cmd *cobra.Command, p *int, name, letter, usage string) {
	flag := &wholeFlag{p: p, name: name, letter: letter}
	f.counts = append(f.counts, flag)
	cmd.Flags().VarP(flag, name, letter, usage)
}

// validate refuses a problem that does not fit the machine's memory or is not
// exact, with the flag as the user wrote it.
func (f *synchFlags) validate(s *session) error {
	err := f.cfg.Validate(sys.TotalMemory() / 4 * 3)
	var bad *trial.ConfigError
	if !errors.As(err, &bad) {
		return err
	}
	for _, flag := range f.counts {
		if flag.name == bad.Flag && flag.raw != "" {
			return usagef("%s", bad.Line(s.spell(flag.name, flag.letter), plain(flag.raw)))
		}
	}
	return usagef("%s", strings.TrimPrefix(bad.Error(), synchName+": "))
}

// experiment lays out the forms that were asked for.
func (f *synchFlags) experiment(p *pool, verify bool) *experiment {
	e := &experiment{app: synchName, settings: f.settings()}
	for _, form := range f.formList() {
		name := f.resultName(form, p)
		var once func(context.Context) (synchp2p.Result, error)
		switch form {
		case formSerial:
			e.baseline = name
			once = func(ctx context.Context) (synchp2p.Result, error) { return synchp2p.Serial(ctx, f.cfg) }
		case formGoroutines:
			once = func(ctx context.Context) (synchp2p.Result, error) {
				defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(p.workers))
				return synchp2p.Goroutines(ctx, f.cfg)
			}
		default:
			g := new(graphRun)
			if e.graph == nil {
				e.graph, e.observed = g, name
			}
			once = f.edtForm(form, p, g)
		}
		e.forms = append(e.forms, synchSide(name, form, once, verify))
	}
	if e.baseline == "" && len(e.forms) > 1 {
		e.baseline = e.forms[0].Name
	}
	if f.cfg.RowsPerBlock > 1 {
		e.notes = append(e.notes, fmt.Sprintf("rows grouped B=%d: PRK's rated figure uses B=1", f.cfg.RowsPerBlock))
	}
	if f.cfg.Timesteps == 1 {
		e.notes = append(e.notes, "T=1: the only timestep is timed, cold")
	}
	return e
}

func (f *synchFlags) edtForm(form string, p *pool, g *graphRun) func(context.Context) (synchp2p.Result, error) {
	cfg := f.cfg
	cfg.Events = synchp2p.EventsSticky
	if form == formEDTChannel {
		cfg.Events = synchp2p.EventsChannel
	}
	return func(ctx context.Context) (synchp2p.Result, error) {
		a := synchp2p.New(cfg)
		if err := p.run(ctx, a.Main(), g, synchName); err != nil {
			return synchp2p.Result{}, err
		}
		return a.Result()
	}
}

// synchSide makes a side of a form. What a block of the grid costs is told as
// ns/edt where an EDT sweeps it and as ns/block elsewhere.
func synchSide(name, form string, once func(context.Context) (synchp2p.Result, error), verify bool) bench.Side {
	var last synchp2p.Result
	return bench.Side{
		Name: name,
		Once: func(ctx context.Context) (time.Duration, error) {
			r, err := once(ctx)
			var wrong *trial.VerifyError
			if !verify && errors.As(err, &wrong) {
				err = nil
			}
			last = r
			return r.Elapsed, err
		},
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			r := last
			r.Elapsed, r.TimedTimesteps = elapsed, last.TimedTimesteps*runs
			block := "ns/block"
			if form == formEDT || form == formEDTChannel {
				block = "ns/edt"
			}
			values := []bench.Value{
				{Unit: block, Value: r.NsPerEDT()},
				{Unit: "us/timestep", Value: r.NsPerEDT() * float64(r.Config.Ranks*r.Config.Phases) / 1e3},
			}
			if r.Config.Flops() > 0 {
				values = append(values, bench.Value{Unit: "Mflop/s", Value: r.MFlops()})
			}
			return values
		},
	}
}

// formList resolves --forms and --events, in the order in which they were given.
func (f *synchFlags) formList() []string {
	edts := map[string][]string{
		"sticky": {formEDT}, "channel": {formEDTChannel}, "both": {formEDT, formEDTChannel},
	}
	var list []string
	for _, form := range strings.Split(f.forms, ",") {
		forms := []string{form}
		if form == formEDT {
			forms = edts[f.events]
		}
		for _, form := range forms {
			if !slices.Contains(list, form) {
				list = append(list, form)
			}
		}
	}
	return list
}

func (f *synchFlags) settings() report.Config {
	c := f.cfg
	return report.Config{
		{Key: "P", Value: c.Ranks}, {Key: "K", Value: c.ColumnsPerRank}, {Key: "B", Value: c.RowsPerBlock},
		{Key: "W", Value: c.Phases}, {Key: "T", Value: c.Timesteps},
		{Key: "columns", Value: c.GridColumns()}, {Key: "rows", Value: c.GridRows()},
		{Key: "place", Value: string(c.Place)}, {Key: "events", Value: f.events}, {Key: "forms", Value: f.forms},
		{Key: "check-grid", Value: c.CheckGrid},
	}
}

// resultName names a form's result: what is not in it is as by default.
func (f *synchFlags) resultName(form string, p *pool) string {
	c := f.cfg
	shape := fmt.Sprintf("K=%d", c.ColumnsPerRank)
	if c.Columns != 0 {
		shape = fmt.Sprintf("columns=%d", c.Columns)
	}
	name := fmt.Sprintf("%s/%s/P=%d/%s/B=%d/W=%d/T=%d/workers=%d",
		synchName, form, c.Ranks, shape, c.RowsPerBlock, c.Phases, c.Timesteps, p.workers)
	if c.Place != synchp2p.Defaults().Place {
		name += "/place=" + string(c.Place)
	}
	return name
}

// wholeFlag is a flag value: a whole number that is checked later. What is not a
// number becomes -1, which no check accepts, and is kept for the error.
type wholeFlag struct {
	p            *int
	name, letter string
	raw          string // as given; empty where it was not
}

func (w *wholeFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 && w.letter == "" {
		n = -1
	}
	*w.p, w.raw = n, text
	if text == "" {
		return errors.New("must be a whole number")
	}
	return nil
}

func (w *wholeFlag) Type() string { return "N" }

func (w *wholeFlag) String() string {
	if w.p == nil || *w.p == 0 {
		return ""
	}
	return strconv.Itoa(*w.p)
}
