package edttest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestSchedulesPrintAndParse(t *testing.T) {
	for _, text := range []string{
		"fifo", "lifo", "random:0", "random:18446744073709551615", "overlap:7", "replay:tidy",
		"replay:0r1", "replay:7h,9r2", "replay:tidy,12r3", "replay:2147483647r1",
	} {
		s, err := edttest.ParseSchedule(text)
		if err != nil || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for text, reason := range map[string]string{
		"":                              "must be fifo",
		"FIFO":                          "must be fifo",
		"random":                        "must be fifo",
		"fifo:":                         "must be fifo",
		"random:":                       "the seed must be",
		"random:-1":                     "the seed must be",
		"overlap:x":                     "the seed must be",
		"random:1 ":                     "the seed must be",
		"replay:":                       `"" must be a move`,
		"replay:1r1,":                   `"" must be a move`,
		"replay:1":                      `"1" must be a move`,
		"replay:r1":                     `"r1" must be a move`,
		"replay:1r":                     `"1r" must be a move`,
		"replay:1h2":                    `"1h2" must be a move`,
		"replay:1r1.2":                  `"1r1.2" must be a move`,
		"replay:1r-1":                   `"1r-1" must be a move`,
		"replay:01r1":                   `"01r1" must be a move`,
		"replay:1z1":                    `"1z1" must be a move`,
		"replay:1é1":                    `must be a move`,
		"replay:1h,1r2":                 `"1r2" must be a move`,
		"replay:1r1,tidy":               `"tidy" must be a move`,
		"replay:99999999999999999999r1": `must be a move`,
	} {
		s, err := edttest.ParseSchedule(text)
		var bad *edttest.ScheduleError
		if !errors.As(err, &bad) || bad.Text != text ||
			!strings.HasPrefix(bad.Reason, strings.TrimSuffix(reason, "must be a move")) ||
			!strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, %v; want %q", text, s, err, reason)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, text := range []string{"fifo", "lifo", "random:3", "overlap:3", "replay:tidy,7h,9r2", "replay:1r", "replay:,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := edttest.ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := edttest.ParseSchedule(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("%q prints as %v, which reads as %v, %v", text, s, again, err)
		}
		ran := ""
		_ = edttest.RunSchedule(context.Background(), s, 2, letters(&ran))
		if strings.Contains(text, "replay") && len(ran) == 0 {
			t.Errorf("%q: nothing ran", text)
		}
	})
}

// letters makes EDTs that record when they run, and on which worker.
func letters(ran *string) edt.Func {
	return body(func(c *edt.Ctx, _ edt.Args) {
		for _, letter := range []string{"a", "b", "c", "d"} {
			start(c, letter, func(c *edt.Ctx, _ edt.Args) { *ran += fmt.Sprint(letter, c.Worker(), " ") })
		}
	})
}

// Each form of a schedule has its order.
func TestRunSchedule(t *testing.T) {
	for text, want := range map[string]string{
		"fifo":            "a1 b0 c1 d0 ",
		"lifo":            "d1 c0 b1 a0 ",
		"replay:1r2":      "c1 a0 b1 d0 ",
		"replay:1h":       "b1 c0 d1 a0 ",
		"replay:1h,2h":    "b1 d0 a1 c0 ",
		"replay:1h,2r1":   "b1 d0 c1 a0 ",
		"replay:tidy,1r1": "b1 a0 c1 d0 ",
	} {
		s, err := edttest.ParseSchedule(text)
		testrun.OK(t, err)
		ran := ""
		if err := edttest.RunSchedule(t.Context(), s, 2, letters(&ran)); err != nil || ran != want {
			t.Errorf("%s: %q, %v; want %q", text, ran, err, want)
		}
	}
}

// A seed of a schedule is a seed of Run, and seeds give every order.
func TestSeedsPermuteTheOrder(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		var a, b string
		s, err := edttest.ParseSchedule(fmt.Sprintf("random:%d", seed))
		testrun.OK(t, err)
		if err := errors.Join(edttest.Run(seed, 1, letters(&a)),
			edttest.RunSchedule(t.Context(), s, 1, letters(&b))); err != nil || a != b {
			t.Errorf("seed %d: %q, %q, %v", seed, a, b, err)
		}
		seen[a] = true
	}
	testrun.Equal(t, 24, len(seen), "orders of 4 EDTs")
}

func TestRunScheduleArguments(t *testing.T) {
	main := func(c *edt.Ctx, in edt.Args) guid.GUID {
		if argv := edt.Argv(in.Dep(0)); len(argv) != 2 || argv[1] != "x" || c.Workers() != 3 {
			t.Errorf("argv %q on %d workers", argv, c.Workers())
		}
		return guid.Null
	}
	testrun.OK(t, edttest.RunSchedule(t.Context(), edttest.Schedule{}, 3, main, "program", "x"))
}

// When its context is done a run ends between two EDTs.
func TestRunScheduleIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	ran := 0
	err := edttest.RunSchedule(ctx, edttest.Schedule{}, 1, body(func(c *edt.Ctx, _ edt.Args) {
		for k := range 3 {
			start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) {
				ran++
				cancel(stopped)
			})
		}
	}))
	if !errors.Is(err, stopped) || ran != 1 {
		t.Errorf("%v after %d EDTs", err, ran)
	}
}

// A schedule that does not fit is an error, even if the run has none.
func TestRunScheduleMustFit(t *testing.T) {
	for _, text := range []string{"replay:1r4", "replay:4h", "replay:99h"} {
		s, err := edttest.ParseSchedule(text)
		testrun.OK(t, err)
		ran := ""
		err = edttest.RunSchedule(t.Context(), s, 2, letters(&ran))
		testrun.Fails(t, err, "does not fit this program", "%s", text)
	}
}
