package c2c

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
)

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		cfg   Config
		want  string
		notes bool
	}{
		{Config{}, "0:1", false},
		{Config{SameCPU: true}, "0:0", false},
		{Config{CPUs: []int{3, 1}}, "3:1", false},
		{Config{CPUs: []int{2, 2}, SameCPU: true}, "2:2", false},
		// rows of the matrix: 0 and its sibling 2, 1 and its sibling 3
		{Config{AllPairs: true, Tests: []app.Test{app.Single, app.Array}}, "0:2 0:1 0:3 2:1 2:3 1:3", false},
		{Config{AllPairs: true, Tests: []app.Test{app.Single}, SkipSMT: true}, "0:1 0:3 2:1 2:3", true},
		{Config{AllPairs: true, Tests: []app.Test{app.Single, app.Ring}, SkipSMT: true},
			"0:1 0:3 2:1 2:3 1:0r 1:2r 3:0r 3:2r", true},
	} {
		pairs, note, err := c.cfg.resolve(twoCores())
		if err != nil {
			t.Errorf("%+v: %v", c.cfg, err)
		}
		var got []string
		for _, p := range pairs {
			text := p.String()
			if p.reversed {
				text += "r"
			}
			got = append(got, text)
		}
		if words(got...) != c.want || (note != "") != c.notes {
			t.Errorf("pairs %v, note %q, want %s and a note: %v", got, note, c.want, c.notes)
		}
	}
}

func TestPairsRefused(t *testing.T) {
	m, alone := twoCores(), twoCores()
	m.Allowed, alone.Allowed = []int{0, 2}, []int{2}
	const taskset = "--cpus : must be two processors, and the process may use 2 only: allow another (taskset), or " +
		"put both ends on it with --same-core"
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{CPUs: []int{0, 1}}, "--cpus 0,1: the process may not use 1: must be within 0,2"},
		{Config{CPUs: []int{2, 2}}, "--cpus 2,2: processor 2 is named twice: must be two of the allowed processors 0,2, " +
			"or add --same-core"},
		{Config{AllPairs: true, SameCPU: true}, "--pairs all: must be without --same-core"},
		{Config{SkipSMT: true}, "--skip-smt : must be with a pair of two cores: all are of two threads of one core, and " +
			"the process may use 0,2"},
	} {
		_, _, err := c.cfg.resolve(m)
		if err == nil || err.Error() != "c2c: "+c.want {
			t.Errorf("%+v: %v, want %s", c.cfg, err, c.want)
		}
	}
	for _, cfg := range []Config{{}, {AllPairs: true}} {
		if _, _, err := cfg.resolve(alone); err == nil || err.Error() != "c2c: "+taskset {
			t.Errorf("one processor: %v", err)
		}
	}
}

// TestRefused holds what cannot be measured: nothing, too much, a picture of one processor.
func TestRefused(t *testing.T) {
	blocked := func(baselines ...app.Form) Config {
		cfg := Defaults()
		cfg.Tests, cfg.Forms, cfg.Baselines, cfg.SameCPU = []app.Test{app.Blocked}, []app.Form{app.EDT}, baselines, true
		return cfg
	}
	long := Defaults()
	long.Transfers = 1 << 23
	picture := blocked(app.Goroutines)
	picture.Picture = "svg"
	ranks := Defaults()
	ranks.Ranks = 3
	polls := Defaults()
	polls.Tests, polls.Lengths, polls.CountPolls = []app.Test{app.Array}, []int{1, 8192}, true
	unpolled := polls
	unpolled.Forms, unpolled.Baselines = []app.Form{app.Chain}, nil
	for _, c := range []struct {
		cfg  Config
		flag string
	}{{long, "stim-len"}, {blocked(), "forms"}, {blocked(C), "forms"}, {blocked(app.Goroutines), ""}, {picture, "svg"},
		{ranks, "ranks"}, {polls, "polls"}, {unpolled, ""}} {
		r := testRun(c.cfg, 1)
		var bad *trial.ConfigError
		if err := r.prepare(); errors.As(err, &bad) != (c.flag != "") || bad != nil && bad.Flag != c.flag {
			t.Errorf("baselines %v, picture %q: %v, want flag %q refused", c.cfg.Baselines, c.cfg.Picture, err, c.flag)
		}
	}
}

func TestNames(t *testing.T) {
	forward := pair{Pair: zeroOne}
	back := pair{Pair: matrix.Pair{From: 1, To: 0}, reversed: true}
	type (
		tests   = []app.Test
		forms   = []app.Form
		layouts = []app.Layout
	)
	for _, c := range []struct {
		name string
		cfg  Config
		pair pair
		want []string
	}{
		{"the design's name", Config{Tests: tests{app.Single}, Forms: forms{app.Polled}, Widths: []int{8},
			Layouts: layouts{app.Separate}}, forward,
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1"}},
		{"EDTs of dual lie apart, and are measured once",
			Config{Tests: tests{app.Dual}, Forms: forms{app.Polled, app.EDT}, Widths: []int{1, 2}, Layouts: app.Layouts()},
			forward,
			[]string{
				"c2c/dual/polled/width=1/layout=same/cpus=0,1",
				"c2c/dual/polled/width=1/layout=separate/cpus=0,1", "c2c/dual/edt/width=1/layout=separate/cpus=0,1",
				"c2c/dual/polled/width=2/layout=same/cpus=0,1",
				"c2c/dual/polled/width=2/layout=separate/cpus=0,1", "c2c/dual/edt/width=2/layout=separate/cpus=0,1",
			}},
		{"arrays have a length", Config{Tests: tests{app.Array, app.Flow}, Forms: forms{app.Polled}, Widths: []int{4},
			Lengths: []int{1, 512}}, forward,
			[]string{
				"c2c/array/polled/width=4/layout=same/length=1/cpus=0,1",
				"c2c/array/polled/width=4/layout=same/length=512/cpus=0,1",
				"c2c/flow/polled/width=4/layout=separate/length=1/cpus=0,1",
				"c2c/flow/polled/width=4/layout=separate/length=512/cpus=0,1",
			}},
		{"forms that a test does not have are left out",
			Config{Tests: tests{app.Blocked, app.Ring}, Forms: forms{app.Polled, app.EDT, app.Chain}, Widths: []int{8},
				Lengths: []int{1}}, forward,
			[]string{
				"c2c/blocked/polled/width=8/layout=separate/length=1/cpus=0,1",
				"c2c/ring/polled/width=8/layout=separate/length=1/cpus=0,1",
			}},
		{"backwards only if that differs", Config{Tests: tests{app.Single, app.Array, app.Blocked}, Forms: forms{app.Polled},
			Widths: []int{8}, Lengths: []int{1}}, back,
			[]string{"c2c/blocked/polled/width=8/layout=separate/length=1/cpus=1,0"}},
		{"a baseline is run", Config{Tests: tests{app.Single}, Forms: forms{app.Polled}, Widths: []int{8},
			Baselines: forms{app.Goroutines, C}}, forward,
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1", "c2c/single/goroutines/width=8/layout=same/cpus=0,1"}},
		{"graphs are run between processes too, if there is a transfer",
			Config{Ranks: 2, Tests: tests{app.Single}, Forms: forms{app.Polled, app.EDT, app.Local}, Widths: []int{8},
				Baselines: forms{app.Goroutines}}, forward,
			[]string{
				"c2c/single/polled/width=8/layout=same/cpus=0,1", "c2c/single/polled/width=8/layout=same/cpus=0,1/ranks=2",
				"c2c/single/edt/width=8/layout=same/cpus=0,1", "c2c/single/edt/width=8/layout=same/cpus=0,1/ranks=2",
				"c2c/single/edt-local/width=8/layout=same/cpus=0,1", "c2c/single/goroutines/width=8/layout=same/cpus=0,1",
			}},
		{"nothing polls a block that travels, or is timed by the clocks of two machines",
			Config{Ranks: 2, lent: true, Tests: tests{app.Single}, Forms: forms{app.Polled, app.Parked, app.EDT},
				Widths: []int{8}}, forward,
			[]string{
				"c2c/single/polled/width=8/layout=same/cpus=0,1", "c2c/single/edt-parked/width=8/layout=same/cpus=0,1",
				"c2c/single/edt/width=8/layout=same/cpus=0,1", "c2c/single/edt/width=8/layout=same/cpus=0,1/ranks=2",
			}},
	} {
		testrun.Same(t, c.want, c.cfg.names(c.pair), "%s", c.name)
	}
}

func TestLengthsOfTests(t *testing.T) {
	plain := Defaults()
	asked := Config{Tests: []app.Test{app.Array, app.Ring}}
	given := Config{Tests: asked.Tests, Lengths: []int{3}}
	for _, c := range []struct {
		cfg  Config
		test app.Test
		want string
	}{
		{plain, app.Single, "[1]"}, {plain, app.Array, "[64 512]"},
		{asked, app.Array, "[1 2 4 8 16 32 64 128 256 512 1024 2048 4096]"},
		{asked, app.Ring, "[1 2 4 8 16 32 64 128 256]"},
		{given, app.Array, "[3]"}, {given, app.Ring, "[3]"},
	} {
		testrun.Equal(t, c.want, fmt.Sprint(c.cfg.lengths(c.test)),
			"tests %v, lengths %v: %s", c.cfg.Tests, c.cfg.Lengths, c.test)
	}
	testrun.Same(t, "[64 512]", fmt.Sprint(plain.allLengths()), "lengths of the default tests")
}

// TestLayoutOfEDTs holds that a layout that EDTs do not have is reported.
func TestLayoutOfEDTs(t *testing.T) {
	for layout, noted := range map[app.Layout]bool{app.Same: true, app.Separate: false} {
		cfg := Config{Tests: []app.Test{app.Dual}, Forms: []app.Form{app.Polled, app.EDT}, Widths: []int{8},
			Layouts: []app.Layout{layout}}
		r := testRun(cfg, 1)
		testrun.OK(t, r.prepare())
		want := "form edt: EDTs pass on blocks of their own, so test dual has layout separate"
		testrun.Equal(t, noted, slices.Contains(r.bed.Asides, want), "layout %s: asides %q", layout, r.bed.Asides)
	}
}
