package c2c

import (
	"errors"
	"fmt"
	"testing"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
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
	} {
		pairs, note, err := c.cfg.resolve(twoCores())
		if err != nil {
			t.Errorf("%+v: %v", c.cfg, err)
		}
		var got []string
		for _, p := range pairs {
			got = append(got, p.String())
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
	long := Defaults()
	long.Transfers = 1 << 23
	picture := Defaults()
	picture.SameCPU, picture.Picture = true, "svg"
	for _, c := range []struct {
		cfg  Config
		flag string
	}{{Defaults(), ""}, {long, "stim-len"}, {picture, "svg"}} {
		r := testRun(c.cfg, 1)
		var bad *trial.ConfigError
		if err := r.prepare(); errors.As(err, &bad) != (c.flag != "") || bad != nil && bad.Flag != c.flag {
			t.Errorf("forms %v, picture %q: %v, want flag %q refused", c.cfg.Forms, c.cfg.Picture, err, c.flag)
		}
	}
}

func TestNames(t *testing.T) {
	type (
		tests = []app.Test
		forms = []app.Form
	)
	for _, c := range []struct {
		name string
		cfg  Config
		want []string
	}{
		{"the design's name", Config{Tests: tests{app.Single}, Forms: forms{app.Polled}, Widths: []int{8}},
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1"}},
		{"elements of dual lie apart",
			Config{Tests: tests{app.Dual}, Forms: forms{app.Polled, app.EDT}, Widths: []int{1, 2}},
			[]string{
				"c2c/dual/polled/width=1/layout=separate/cpus=0,1", "c2c/dual/edt/width=1/layout=separate/cpus=0,1",
				"c2c/dual/polled/width=2/layout=separate/cpus=0,1", "c2c/dual/edt/width=2/layout=separate/cpus=0,1",
			}},
		{"arrays have a length", Config{Tests: tests{app.Array}, Forms: forms{app.Polled}, Widths: []int{4},
			Lengths: []int{1, 512}},
			[]string{
				"c2c/array/polled/width=4/layout=same/length=1/cpus=0,1",
				"c2c/array/polled/width=4/layout=same/length=512/cpus=0,1",
			}},
		{"form c needs a compiler", Config{Tests: tests{app.Single}, Forms: forms{C, app.Polled, app.Goroutines},
			Widths: []int{8}},
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1", "c2c/single/goroutines/width=8/layout=same/cpus=0,1"}},
	} {
		testrun.Same(t, c.want, c.cfg.names(zeroOne), "%s", c.name)
	}
}

func TestLengthsOfTests(t *testing.T) {
	plain := Defaults()
	asked := Config{Tests: []app.Test{app.Array}}
	given := Config{Tests: asked.Tests, Lengths: []int{3}}
	for _, c := range []struct {
		cfg  Config
		test app.Test
		want string
	}{
		{plain, app.Single, "[1]"}, {plain, app.Array, "[64 512]"},
		{asked, app.Array, "[1 2 4 8 16 32 64 128 256 512 1024 2048 4096]"},
		{given, app.Array, "[3]"},
	} {
		testrun.Equal(t, c.want, fmt.Sprint(c.cfg.lengths(c.test)),
			"tests %v, lengths %v: %s", c.cfg.Tests, c.cfg.Lengths, c.test)
	}
	testrun.Same(t, "[64 512]", fmt.Sprint(plain.allLengths()), "lengths of the default tests")
}
