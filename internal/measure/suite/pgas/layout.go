package pgas

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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
	if most := sys.TotalMemory() / 4 * 3 / uint64(bed.Pool.Threads()); most > 0 {
		r.cfg.segment = int(min(uint64(cfg.segment), most))
	}
	if err := r.layOut(); err != nil {
		return nil, err
	}
	if bed.Pool.Ranks > 1 { // PEs reach the segments of others in windows of MPI, large enough for all that is measured
		for _, k := range slices.Concat(r.groups...) {
			r.window = max(r.window, app.New(r.config(k)).WindowBytes(bed.Pool.Workers))
		}
	}
	return r, nil
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

// keysOf returns the keys of a test, and why there is none if no size fits. lenient leaves out sizes that do not fit.
func (r *run) keysOf(t app.Test, lenient bool) (keys []key, without, err error) {
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
	if bad.Flag = strings.Replace(bad.Flag, "segment", "sizes", 1); bad.Flag != "sizes" {
		return bad
	}
	bad.Value, bad.Allowed = sizes.Format(k.bytes), strings.TrimSuffix(bad.Allowed, " and more")
	if len(r.cfg.Sizes) == 0 && k.stride > 1 {
		bad.Flag, bad.Value, bad.Allowed = "strides", strconv.Itoa(k.stride), "less"
	}
	return bad
}

// config returns what the app runs for a key.
func (r *run) config(k key) app.Config {
	c := app.Defaults(k.test)
	c.Form, c.PEs, c.Bytes, c.Stride = k.form, r.bed.Pool.Threads(), k.bytes, k.stride
	c.Sync, c.Segment, c.Seed = cmp.Or(k.sync, c.Sync), r.cfg.segment, r.bed.Seed
	c.NoVerify, c.Sabotage = !r.bed.Verify, r.cfg.sabotage
	c.Iterations, c.MaxTime = r.cfg.Iterations, r.budget().first()
	return c
}
