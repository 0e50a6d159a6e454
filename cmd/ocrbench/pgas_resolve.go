package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	c2capp "ocr/apps/c2c"
	pgasapp "ocr/apps/pgas"
	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/matrix"
	"ocr/internal/report"
	"ocr/internal/sys"
	"ocr/runtime"
)

// formPolled is the form of the core-to-core baseline.
const formPolled = pgasapp.Form(c2capp.Polled)

// resolve checks what the command line asks for against itself and this machine.
func (f *pgasFlags) resolve(s *commonFlags, cmd *cobra.Command, bed *harness.Testbed, out *harness.Output, names []string) (*pgasRun, error) {
	if f.compat {
		f.likeOriginal(cmd)
		if s.format != "text" {
			return nil, cli.Usagef("--compat: must be with --format text, it is %s", s.format)
		}
		if sizes, ok := parseSizes(f.sizes); ok && !wholeElements(sizes) {
			return nil, cli.Usagef("--sizes %s: --compat prints elements of %d bytes: must be multiples of it", report.Plain(f.sizes), pgasapp.DefaultElementBytes)
		}
	}
	if f.baseline != noBaseline && slices.Contains(strings.Split(f.baseline, ","), noBaseline) {
		return nil, cli.Usagef("--baseline %s: none cannot be had together with another", f.baseline)
	}
	r := &pgasRun{commonFlags: s, bed: bed, out: out, run: bed.Options, machine: bed.Machine, flags: f, find: map[pgasKey]*pgasRow{}}
	var err error
	if r.tests, err = testsNamed(names); err != nil {
		return nil, err
	}
	if err = r.place(cmd); err != nil {
		return nil, err
	}
	if err = r.layOut(len(names) == 0); err != nil {
		return nil, err
	}
	if r.svgFile, err = s.fileSink("svg", f.svg); err != nil {
		return nil, err
	}
	if bed.Watch != nil && bed.Watch.Stats && f.compat {
		return nil, cli.Usagef("%s: cannot be had together with --compat", s.line.Source(cmd, "stats"))
	}
	if r.observed() == nil {
		return r, bed.NeedsGraph(f.baseline)
	}
	return r, nil
}

// wholeElements reports whether sizes are multiples of the original suite's element.
func wholeElements(sizes []int) bool {
	return !slices.ContainsFunc(sizes, func(n int) bool { return n%pgasapp.DefaultElementBytes != 0 })
}

// place resolves the PEs, their processors and their memory.
func (r *pgasRun) place(cmd *cobra.Command) error {
	n := r.commonFlags.workers
	if n == 0 {
		n = max(2, r.bed.Pool.Workers/2*2)
	}
	var err error
	if r.workers, err = harness.NewPool(r.machine, n, r.cpus, r.bind); err != nil {
		return err
	}
	r.bed.Pool = r.workers
	f := r.flags
	pins := r.workers.Pins()
	r.caches = cachesOf(r.machine.Topology, max(0, pins[0]))
	partner := cmp.Or(f.partnerOffset, r.workers.Workers/2)
	r.partnerCPU = max(0, pins[min(partner, len(pins)-1)])
	f.l2 = cmp.Or(f.l2, r.caches.size(2), pgasapp.DefaultL2Bytes)
	f.segment = cmp.Or(f.segment, pgasapp.DefaultSegment)
	if most := sys.TotalMemory() / 4 * 3 / uint64(r.workers.Workers); most > 0 {
		f.segment = int(min(uint64(f.segment), most))
	}
	return nil
}

// layOut lists the rows to measure, in groups. Of the whole suite at its own sizes it
// leaves out what a segment has no room for, with a note.
func (r *pgasRun) layOut(suite bool) error {
	var keys []pgasKey
	var without error
	for _, t := range r.tests {
		own, reason, err := r.keysOf(t, suite && r.flags.sizes == "")
		if err != nil {
			return err
		}
		keys = append(keys, own...)
		if len(own) == 0 {
			r.note(fmt.Sprintf("left out: %s: %v", t.Name, reason))
			without = cmp.Or(without, reason)
		}
	}
	if len(keys) == 0 {
		return without
	}
	for _, t := range r.baselineTests() {
		own, _, err := r.keysOf(t, true)
		if err != nil {
			return err
		}
		keys = append(keys, own...)
	}
	if pair, ok := r.firstPair(); ok && r.wants(baseC2C) {
		keys = append(keys, pgasKey{plainVariant(baseC2C, 0), formPolled})
		r.pair = pair
	}
	r.groups = grouped(keys)
	return nil
}

// keysOf returns the rows of a test, and why there is none where no combination of
// settings has one. lenient leaves out sizes that do not fit.
func (r *pgasRun) keysOf(t pgasapp.Test, lenient bool) (keys []pgasKey, without, err error) {
	without = cli.Usagef("--sync %s: must be, for test %s, a list of %s", r.flags.syncs, t.Name, strings.Join(spelled(t.Uses.Syncs), ", "))
	for _, v := range r.flags.variants(t) {
		for _, form := range r.formsOf(t) {
			k := pgasKey{v, form}
			if r.again(k) {
				continue
			}
			var bad *trial.ConfigError
			switch err := r.config(k).Validate(); {
			case err == nil:
				keys = append(keys, k)
				for _, note := range r.config(k).Notes(r.workers.Pins()) {
					r.note(note)
				}
			case !errors.As(err, &bad):
				return nil, nil, err
			case v.sync == pgasapp.Flag && form == pgasapp.EDT && bad.Flag == "sync":
				without = badConfig(bad)
			case lenient && (bad.Flag == "sizes" || bad.Flag == "segment"):
				without = badConfig(bad)
				r.note(fmt.Sprintf("left out: %s: %v", k.spelled(), without))
			case bad.Flag == "sizes" && r.flags.sizes == "" && v.stride > 1:
				bad.Flag, bad.Value, bad.Allowed = "strides", fmt.Sprint(v.stride), "less, or --segment more"
				return nil, nil, badConfig(bad)
			default:
				return nil, nil, badConfig(bad)
			}
		}
	}
	return keys, without, nil
}

// again reports whether a row would measure what another does: in the edt form what
// follows a put runs once it is complete at the target, whatever completion asks for.
func (r *pgasRun) again(k pgasKey) bool {
	return k.form == pgasapp.EDT && k.completion == pgasapp.Local &&
		slices.Contains(chosen(r.flags.completions, pgasCompletions()), pgasapp.Remote)
}

// formsOf returns the forms to run a test in.
func (r *pgasRun) formsOf(t pgasapp.Test) []pgasapp.Form {
	if t.Uses.DirectOnly {
		return []pgasapp.Form{pgasapp.Direct}
	}
	return chosen(r.flags.forms, pgasForms())
}

// badConfig says what a Config has that cannot be, as the flags spell it.
func badConfig(bad *trial.ConfigError) error {
	value := strings.Trim(bad.Value, `"`)
	if n, err := strconv.Atoi(value); err == nil && (bad.Flag == "sizes" || bad.Flag == "segment") {
		value = formatBytes(n)
	}
	return cli.Usagef("%s", bad.Line("--"+bad.Flag, report.Plain(value)))
}

// baselineTests returns the baselines that the tests are set against and that are not
// among them already.
func (r *pgasRun) baselineTests() []pgasapp.Test {
	var list []pgasapp.Test
	for _, name := range []string{baseCopy, baseCopyFresh, baseLine} {
		t, _ := pgasapp.Lookup(name)
		if r.wants(name) && !slices.ContainsFunc(r.tests, func(u pgasapp.Test) bool { return u.Name == name }) {
			list = append(list, t)
		}
	}
	return list
}

// wants reports whether a baseline is to be measured: it is chosen, and a test is there
// that it is set against.
func (r *pgasRun) wants(baseline string) bool {
	if !slices.Contains(strings.Split(r.flags.baseline, ","), baseline) {
		return false
	}
	return slices.ContainsFunc(r.tests, func(t pgasapp.Test) bool {
		switch {
		case t.Uses.DirectOnly:
			return false
		case t.Kind == pgasapp.Latency:
			return baseline == baseLine || baseline == baseC2C
		case t.Kind == pgasapp.Reduction: // which may have PEs that do not pair
			return baseline == baseLine && r.config(pgasKey{plainVariant(baseLine, 0), pgasapp.Direct}).Validate() == nil
		}
		return t.Uses.Stream && (baseline == baseCopy || baseline == baseCopyFresh)
	})
}

// firstPair returns the processors of PE 0 and its partner. There is no pair where PEs
// share processors: then the core-to-core baseline would measure something else.
func (r *pgasRun) firstPair() (matrix.Pair, bool) {
	if r.crowded() {
		return matrix.Pair{}, false
	}
	pinned := *r.workers
	if pinned.Bind == runtime.BindNone {
		pinned.Bind = runtime.BindCompact
	}
	pins := pinned.Pins()
	k := pgasKey{plainVariant(baseLine, 0), pgasapp.Direct}
	return matrix.Pair{From: pins[0], To: pins[r.config(k).Partner(0)]}, true
}

// crowded reports whether PEs share processors.
func (r *pgasRun) crowded() bool { return r.workers.Shared() }

// config returns what the app runs for a row.
func (r *pgasRun) config(k pgasKey) pgasapp.Config {
	f := r.flags
	c := pgasapp.Defaults(k.test)
	c.Form, c.PEs, c.PartnerOffset, c.Bytes = k.form, r.workers.Workers, f.partnerOffset, k.bytes
	c.Sync, c.Window, c.Completion, c.Stream = k.sync, k.window, k.completion, k.stream
	c.Stride, c.Strided, c.Type = k.stride, k.strided, k.element
	c.ElementBytes, _ = strconv.Atoi(f.element)
	c.L2Bytes, c.Segment, c.Self, c.Seed = f.l2, f.segment, f.self, r.sampling.Seed
	c.NoVerify = r.noVerify
	c.Wait = shmem.Waiter{Pause: sys.Pause, Yield: sys.Yield}
	c.Iterations, c.MaxTime = f.iters, r.budget().first()
	if t, _ := pgasapp.Lookup(k.test); f.compat && f.iters == 0 {
		c.Iterations = t.OriginalIterations()
	}
	if f.sabotage {
		c.Sabotage = func(pe int, destination []byte) {
			if pe == 0 {
				destination[0] ^= 0x40
			}
		}
	}
	return c
}
