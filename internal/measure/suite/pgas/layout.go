package pgas

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/core/sys"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
)

// newRun lays a run out: what is measured, and on which processors.
func newRun(bed *testbed.Bed, cfg Config) (*run, error) {
	r := &run{bed: bed, cfg: cfg, pins: bed.Pool.Pins(), programs: peers.NewSet(bed.Announce)}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r.caches = cachesOf(bed.Machine.Topology, max(0, r.pins[0]))
	r.l2 = cmp.Or(r.caches.size(2), app.DefaultL2Bytes)
	if most := sys.TotalMemory() / 4 * 3 / uint64(bed.Pool.Threads()); most > 0 {
		r.cfg.Segment = int(min(uint64(cfg.Segment), most))
	}
	return r, r.layOut()
}

// layOut lists the keys to measure, in groups. Of the whole suite at its own sizes it
// leaves out what a segment has no room for, with a note.
func (r *run) layOut() error {
	var keys []key
	var refused error
	for _, t := range r.cfg.tests() {
		own, without, err := r.keysOf(t, len(r.cfg.Tests) == 0 && len(r.cfg.Sizes) == 0)
		if err != nil {
			return err
		}
		keys = append(keys, own...)
		if len(own) == 0 {
			r.bed.Note(fmt.Sprintf("left out: %s: %v", t.Name, without))
			refused = cmp.Or(refused, without)
		}
	}
	if len(keys) == 0 {
		return refused
	}
	r.groups = grouped(keys)
	return nil
}

// keysOf returns the keys of a test, and why there is none if no combination of settings
// has one. lenient leaves out sizes that do not fit.
func (r *run) keysOf(t app.Test, lenient bool) (keys []key, without, err error) {
	without = &trial.ConfigError{
		App: name, Flag: "sync", Value: sizes.Join(r.cfg.Syncs),
		Reason: "test " + t.Name + " has none of these", Allowed: "a list of " + trial.Names(t.Uses.Syncs),
	}
	for _, k := range r.cfg.keys(t) {
		cfg := r.config(k)
		err := cfg.Validate()
		var bad *trial.ConfigError
		switch {
		case err == nil:
			keys = append(keys, k)
			r.bed.Note(cfg.Notes(r.pins)...)
		case !errors.As(err, &bad):
			return nil, nil, err
		case k.sync == app.Flag && k.form == app.EDT && bad.Flag == "sync":
			without = r.spelled(bad, k)
		case lenient && (bad.Flag == "sizes" || bad.Flag == "segment"):
			without = r.spelled(bad, k)
			r.bed.Note(fmt.Sprintf("left out: %v: %v", k, without))
		default:
			return nil, nil, r.spelled(bad, k)
		}
	}
	return keys, without, nil
}

// spelled turns what the app refuses of a key into an error of the setting that the user has made.
func (r *run) spelled(bad *trial.ConfigError, k key) error {
	bad.Value = strings.Trim(bad.Value, `"`)
	large := bad.Flag == "sizes" || bad.Flag == "segment"
	if n, err := strconv.Atoi(bad.Value); err == nil && large {
		bad.Value = sizes.Format(n)
	}
	if bad.Flag == "sizes" && len(r.cfg.Sizes) == 0 && k.stride > 1 {
		bad.Flag, bad.Value, bad.Allowed = "strides", strconv.Itoa(k.stride), "less, or --segment more"
	}
	return bad
}

// config returns what the app runs for a key.
func (r *run) config(k key) app.Config {
	c := app.Defaults(k.test)
	c.Form, c.PEs, c.PartnerOffset, c.Bytes = k.form, r.bed.Pool.Threads(), r.cfg.PartnerOffset, k.bytes
	c.Sync, c.Window, c.Completion, c.Stream = k.sync, k.window, k.completion, k.mode == Stream
	c.Stride, c.Strided = k.stride, k.strided
	c.L2Bytes, c.Segment, c.Self, c.Seed = r.l2, r.cfg.Segment, r.cfg.Self, r.bed.Seed
	c.NoVerify, c.Sabotage = !r.bed.Verify, r.cfg.sabotage
	c.Iterations, c.MaxTime = r.cfg.Iterations, r.budget().first()
	if t := k.about(); r.cfg.Compat && c.Iterations == 0 {
		c.Iterations = t.OriginalIterations()
	}
	return c
}
