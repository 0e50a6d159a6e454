package edttest_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
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
		"random:":                       "the seed must be",
		"random:-1":                     "the seed must be",
		"overlap:x":                     "the seed must be",
		"random:1 ":                     "the seed must be",
		"replay:":                       `"" must be a move`,
		"replay:1r1,":                   `"" must be a move`,
		"replay:1":                      `"1" must be a move`,
		"replay:1r":                     `"1r" must be a move`,
		"replay:1h2":                    `"1h2" must be a move`,
		"replay:1r-1":                   `"1r-1" must be a move`,
		"replay:01r1":                   `"01r1" must be a move`,
		"replay:1é1":                    `must be a move`,
		"replay:1h,1r2":                 `"1r2" must be a move`,
		"replay:1r1,tidy":               `"tidy" must be a move`,
		"replay:99999999999999999999r1": `must be a move`,
	} {
		s, err := edttest.ParseSchedule(text)
		testrun.Fails(t, err, reason, "%q is %v", text, s)
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
		edttest.Search(letters(new(string)), edttest.Replay(text))
	})
}

// letters makes EDTs that record when they run, and on which worker.
func letters(ran *string) edttest.Program {
	return func(*edttest.Trial) edt.Func {
		*ran = ""
		return body(func(c *edt.Ctx, _ edt.Args) {
			for _, letter := range []string{"a", "b", "c", "d"} {
				start(c, letter, func(c *edt.Ctx, _ edt.Args) { *ran += fmt.Sprint(letter, c.Worker(), " ") })
			}
		})
	}
}

// Each form of a schedule has its order.
func TestOrderOfSchedules(t *testing.T) {
	for text, want := range map[string]string{
		"fifo":            "a1 b0 c1 d0 ",
		"lifo":            "d1 c0 b1 a0 ",
		"replay:1r2":      "c1 a0 b1 d0 ",
		"replay:1h":       "b1 c0 d1 a0 ",
		"replay:1h,2h":    "b1 d0 a1 c0 ",
		"replay:1h,2r1":   "b1 d0 c1 a0 ",
		"replay:tidy,1r1": "b1 a0 c1 d0 ",
	} {
		ran := ""
		if r := edttest.Search(letters(&ran), edttest.Replay(text)); r.Failure != nil || ran != want {
			t.Errorf("%s: %q, %v; want %q", text, ran, r, want)
		}
	}
}

// A schedule random:SEED runs as Run does with that seed, and seeds give every order.
func TestSeedsPermuteTheOrder(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		var a, b string
		err := edttest.Run(seed, 1, letters(&a)(nil))
		r := edttest.Search(letters(&b), edttest.Replay(fmt.Sprintf("random:%d", seed)), edttest.Workers(1))
		if err != nil || r.Failure != nil || a != b {
			t.Errorf("seed %d: %q, %q, %v, %v", seed, a, b, err, r)
		}
		seen[a] = true
	}
	testrun.Equal(t, 24, len(seen), "orders of 4 EDTs")
}

func TestRunArguments(t *testing.T) {
	testrun.OK(t, edttest.Run(1, 3, body(func(c *edt.Ctx, in edt.Args) {
		if argv := edt.Argv(in.Dep(0)); len(argv) != 2 || argv[1] != "x" || c.Workers() != 3 {
			t.Errorf("argv %q on %d workers", argv, c.Workers())
		}
	}), "program", "x"))
}
