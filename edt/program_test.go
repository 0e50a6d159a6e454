package edt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestMainGetsArguments(t *testing.T) {
	for _, argv := range [][]string{nil, {"prog"}, {"prog", "", "two words", strings.Repeat("x", 300)}} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.argv = argv
			forwarded := tr.times("forwarded", 1)
			return body(func(c *edt.Ctx, in edt.Args) {
				if len(in.Params()) != 0 || len(in.Deps()) != 1 {
					tr.Errorf("main has %d parameters and %d slots", len(in.Params()), len(in.Deps()))
				}
				testrun.Equal(tr, fmt.Sprintf("%q", argv), fmt.Sprintf("%q", edt.Argv(in.Dep(0))), "argv")
				launch(c, func(_ *edt.Ctx, in edt.Args) {
					forwarded.add()
					testrun.Equal(tr, fmt.Sprintf("%q", argv), fmt.Sprintf("%q", edt.Argv(in.Dep(0))), "forwarded argv")
				}, edt.From(in.Dep(0).GUID(), datablock.RO))
			})
		})
	}
}

func TestCounters(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.after(func() {
			want := edt.Counters{
				EDTCreated: 3, EDTRun: 3, EDTDestroyed: 1, EventCreated: 2, EventDestroyed: 1, EventSatisfied: 1,
				BlockCreated: 2, BlockDestroyed: 1, TemplateCreated: 1, TemplateDestroyed: 1, DependenceAdded: 1,
			}
			testrun.Equal(tr, want, tr.counters, "counters")
			for name, n := range tr.counters.Map() {
				if n == 0 {
					tr.Errorf("%s is 0 in the map", name)
				}
			}
			testrun.Equal(tr, 11, len(tr.counters.Map()), "entries of the map")
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			tmpl := c.NewTemplate("counted", 0, 1, body(nothing))
			sticky := c.NewEvent(edt.Sticky)
			c.DestroyEvent(c.NewEvent(edt.Once))
			c.NewEDT(tmpl, nil, rw(sticky))
			late := c.NewEDT(tmpl, nil)
			c.DestroyEDT(c.NewEDT(tmpl, nil))
			c.AddDependence(guid.Null, late, 0, datablock.RW)
			c.Satisfy(sticky, guid.Null)
			c.DestroyBlock(c.NewBlockNoAcquire(1))
			c.NewBlock(1)
			c.DestroyTemplate(tmpl)
		})
	})
}

// These tests show how a run ends if several calls or panics end it.

var errPanic = errors.New("the panic of a body")

// Ways to end a run.
func doMisuse(c *edt.Ctx)   { c.Release(guid.Null) }
func doPanic(*edt.Ctx)      { panic(errPanic) }
func doAbort(c *edt.Ctx)    { c.Abort(9) }
func doShutdown(c *edt.Ctx) { c.Shutdown() }

// told lists the ends that an error names, in the order of the text.
func told(err error) (all []string) {
	if err == nil {
		return nil
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		switch {
		case strings.Contains(line, "edt: release"):
			all = append(all, "misuse")
		case strings.Contains(line, "edt: panic"):
			all = append(all, "panic")
		case strings.Contains(line, "edt: aborted"):
			all = append(all, "abort")
		default:
			all = append(all, line)
		}
	}
	return all
}

// TestSeveralEnds: a body that ends the run ends it again, in a deferred call. It is on the last rank.
func TestSeveralEnds(t *testing.T) {
	for _, tc := range []struct {
		name          string
		first, second func(c *edt.Ctx)
		want          []string
	}{
		{"misuse after shutdown", doShutdown, doMisuse, []string{"misuse"}},
		{"panic after shutdown", doShutdown, doPanic, []string{"panic"}},
		{"abort after shutdown", doShutdown, doAbort, nil},
		{"misuse after abort", doAbort, doMisuse, []string{"misuse", "abort"}},
		{"panic after abort", doAbort, doPanic, []string{"panic", "abort"}},
		{"shutdown after abort", doAbort, doShutdown, []string{"abort"}},
		{"abort after misuse", doMisuse, doAbort, []string{"misuse", "abort"}},
		{"abort after abort", doAbort, func(c *edt.Ctx) { c.Abort(3) }, []string{"abort"}},
		{"abort after panic", doPanic, doAbort, []string{"panic", "abort"}},
		{"shutdown after misuse", doMisuse, doShutdown, []string{"misuse"}},
		{"shutdown after panic", doPanic, doShutdown, []string{"panic"}},
		{"panic after misuse", doMisuse, doPanic, []string{"misuse", "panic"}},
		{"misuse after panic", doPanic, doMisuse, []string{"panic", "misuse"}},
		{"misuse after misuse", doMisuse, doMisuse, []string{"misuse", "misuse"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			underSeeds(t, 2, func(tr *trial) edt.Func {
				tr.want = func(err error) {
					testrun.Same(tr, tc.want, told(err), "what the error names")
					if strings.Contains(tc.name, "abort") && err != nil {
						testrun.Equal(tr, 9, testrun.As[*edt.AbortError](tr, err).Code, "the abort's code")
					}
				}
				return body(func(c *edt.Ctx, _ edt.Args) {
					tr.launchAt(c, tr.ranks-1, func(c *edt.Ctx, _ edt.Args) {
						defer tc.second(c)
						tc.first(c)
					})
				})
			})
		})
	}
}

// TestMisusesOfOneBody: if a body recovers from misuses, the error names all of them up to a bound, and none of other
// EDTs.
func TestMisusesOfOneBody(t *testing.T) {
	onPool(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			if n := len(told(err)); n < 2 || n > 8 {
				tr.Errorf("%d misuses are reported", n)
			}
			list := testrun.As[interface {
				error
				Unwrap() []error
			}](tr, err).Unwrap()
			first := testrun.As[*edt.Error](tr, list[0])
			for _, err := range list {
				testrun.Equal(tr, first.EDT, testrun.As[*edt.Error](tr, err).EDT, "EDT of the misuse")
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 2 * c.Workers() {
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					for range 100 {
						func() {
							defer func() { _ = recover() }()
							doMisuse(c)
						}()
					}
				})
			}
		})
	})
}

// TestMemoryLimitIsNamed: the error of any call that lacks memory names the option, its value, the memory needed, and
// the line if a body made the call.
func TestMemoryLimitIsNamed(t *testing.T) {
	for _, x := range []struct {
		limit uint64
		main  edt.Func
		want  []string
	}{
		{7, body(nothing), []string{"8 bytes: ", "may have 7, see runtime.Memory"}},
		{20_000, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(20_001) }),
			[]string{"20001 bytes: ", "may have 20000, see runtime.Memory", "(program_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) {
			for {
				c.NewBlockNoAcquire(5000)
			}
		}), []string{"5000 bytes: ", "may have 1048576, see runtime.Memory", "(program_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(datablock.MaxSize + 1) }),
			[]string{fmt.Sprintf("%d bytes: a data block may have %d", datablock.MaxSize+1, datablock.MaxSize)}},
	} {
		h := edttest.New(1, edt.Config{Workers: 1, Memory: x.limit})
		err := h.Run(x.main)
		testrun.Is(t, err, edt.ErrMemory, "limit %d", x.limit)
		testrun.Contains(t, fmt.Sprint(err), x.want...)
		h.Graph.Close()
	}
}

// TestCountsAtTheirLimits: the largest counts work, and one satisfaction uses up neither a latch nor a counted event
// with them. The EDT that waits for the latch must not run; the one that waits for the counted event may.
func TestCountsAtTheirLimits(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		runs := func(*edt.Ctx, edt.Args) { tr.Errorf("an EDT ran whose latch has not triggered") }
		return body(func(c *edt.Ctx, _ edt.Args) {
			lasts := func(e guid.GUID, waiter func(*edt.Ctx, edt.Args)) {
				launch(c, waiter, rw(e))
				c.Satisfy(e, guid.Null)
				if !c.Exists(e) {
					tr.Errorf("the event is gone")
					return
				}
				c.DestroyEvent(e)
			}
			lasts(c.NewLatch(1<<62), runs)
			lasts(c.NewLatch(-1<<62), runs)
			lasts(c.NewCounted(1<<62-1), nothing)
			c.Shutdown()
		})
	})
}

func TestTemplatesOfARunAreLimited(t *testing.T) {
	tr := &trial{t: t, workers: 1, where: "seed 1"}
	tr.want = func(err error) {
		testrun.Equal(tr, edt.ErrMemory, testrun.As[*edt.Error](tr, err).Cause)
		testrun.Contains(tr, fmt.Sprint(err), "one of many: a run has at most 524288 templates, tasks and recordings",
			"Ctx.DestroyTemplate frees one", "(program_test.go:")
	}
	tr.simulate(1, func(*trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 1 << 19 {
				c.NewTemplate("one of many", 0, 0, body(nothing))
			}
		})
	})
}

// describeFirst describes an EDT by its first and last parameters.
func describeFirst(p []uint64, _ []datablock.Dep) string {
	return fmt.Sprintf("first=%d last=%d", p[0], p[len(p)-1])
}

// TestErrorsDescribeTheEDT: whatever ends a run, the message has the template's description of the EDT at fault.
func TestErrorsDescribeTheEDT(t *testing.T) {
	params := map[string][]uint64{"first=3 last=12": {3, 12}, "first=1 last=6": {1, 2, 3, 4, 5, 6}}
	for about, params := range params {
		for name, fail := range map[string]edt.Func{
			"misuse": func(c *edt.Ctx, _ edt.Args) guid.GUID { c.Release(guid.Null); return guid.Null },
			"panic":  func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") },
			"abort":  func(c *edt.Ctx, _ edt.Args) guid.GUID { c.Abort(3); return guid.Null },
			"stuck": body(func(c *edt.Ctx, in edt.Args) {
				c.NewEDT(c.NewTemplate("fails", len(params), 1, body(nothing)).Describe(describeFirst), in.Params())
			}),
		} {
			for _, described := range []bool{true, false} {
				err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
					fails := c.NewTemplate("fails", len(params), 0, fail)
					if described {
						fails.Describe(describeFirst)
					}
					c.NewEDT(fails, params)
				}))
				says := err != nil && strings.Contains(err.Error(), " of template fails ("+about+")")
				testrun.Equal(t, described || name == "stuck", says, "%s, described %v: %v", name, described, err)
			}
		}
	}
}

// TestSnapshotDescribesEDTs: a snapshot describes EDTs that run and will satisfy others, and EDTs that wait.
func TestSnapshotDescribesEDTs(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 1})
	defer h.Graph.Close()
	var text string
	err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		waits := c.NewTemplate("waits", edt.Unknown, 1, body(nothing)).Describe(describeFirst)
		var done guid.GUID
		_, done = c.Spawn(c.NewTemplate("runs", 2, 0, body(func(c *edt.Ctx, _ edt.Args) {
			c.Spawn(waits, &edt.Spec{Params: edt.Params(5, 6, 7, 8, 9)})
			c.Spawn(waits, &edt.Spec{}) // the description panics
			launch(c, nothing, rw(done))
			text = h.Graph.Snapshot().String()
		})).Describe(describeFirst), &edt.Spec{Params: edt.Params(1, 2), Output: true})
	}))
	testrun.As[*edt.StuckError](t, err)
	testrun.Contains(t, text, " of template runs (first=1 last=2), which runs\n", " of template waits (first=5 last=9)\n",
		" of template waits\n")
}
