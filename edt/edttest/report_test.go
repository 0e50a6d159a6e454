package edttest_test

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

// Long schedules are shown from shortly before they differ.
func TestLongSchedulesAreShort(t *testing.T) {
	r := edttest.Search(func(trial *edttest.Trial) edt.Func {
		ran := ""
		trial.Same("order", func() any { return ran })
		return body(func(c *edt.Ctx, _ edt.Args) {
			var link func(c *edt.Ctx, n int)
			link = func(c *edt.Ctx, n int) {
				start(c, "link", func(c *edt.Ctx, _ edt.Args) {
					if n > 0 {
						link(c, n-1)
						return
					}
					for k := range 2 {
						start(c, "end", func(*edt.Ctx, edt.Args) { ran += fmt.Sprint(k) })
					}
				})
			}
			link(c, 100)
		})
	}, edttest.Workers(1))
	text := fmt.Sprint(r.Failure)
	for _, want := range []string{"100   link#100 on 0  link#100 on 0", "102*  end#2 on 0     end#1 on 0",
		"EDTs 100 to 103 of 104 and 104"} {
		testrun.Contains(t, text, want)
	}
	if strings.Contains(text, "link#99 ") {
		t.Errorf("more than needed:\n%s", text)
	}
}

// A report contains the failure. Leaks, and EDTs that wait, have their lines.
func TestReportsNameLines(t *testing.T) {
	for name, main := range map[string]func(c *edt.Ctx){
		"never destroyed": func(c *edt.Ctx) { c.NewEvent(edt.Sticky) },
		"waits": func(c *edt.Ctx) {
			c.NewEDT(c.NewTemplate("waiter", 0, 1, body(func(*edt.Ctx, edt.Args) {})), nil)
		},
	} {
		r := edttest.Search(func(*edttest.Trial) edt.Func {
			return body(func(c *edt.Ctx, in edt.Args) {
				c.DestroyBlock(in.Dep(0).GUID())
				main(c)
			})
		}, edttest.NoLeaks(), edttest.MaxSchedules(5))
		if text := r.String(); r.Failure == nil || !strings.Contains(text, r.Failure.Error()) ||
			!strings.Contains(text, "report_test.go:") || !strings.Contains(text, "schedules run") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Facts that exist only under some schedules are a difference.
func TestFactsMustBeTheSame(t *testing.T) {
	r := edttest.Search(func(trial *edttest.Trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			ran := 0
			for k := range 2 {
				start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) {
					if ran++; k == 1 && ran == 1 {
						trial.Same("more", func() any { return 1 })
					}
				})
			}
		})
	})
	if r.Failure == nil || !strings.HasPrefix(r.Failure.Err.Error(), "more: 1, and <nil> under ") {
		t.Errorf("%v", r.Failure)
	}
}

// Bound EDTs run on their worker under every schedule; placed EDTs do so usually.
func TestPlacesAreKept(t *testing.T) {
	elsewhere := 0
	r := edttest.Search(func(trial *edttest.Trial) edt.Func {
		bad := 0
		trial.Check(func() error {
			if bad > 0 {
				return errors.New("a bound EDT ran elsewhere")
			}
			return nil
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			for k := range 3 {
				bound := c.NewTemplate("bound", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
					if c.Worker() != k {
						bad++
					}
				}))
				c.NewEDTAt(c.Bind(k), bound, nil)
				placed := c.NewTemplate("placed", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
					if c.Worker() != k {
						elsewhere++
					}
				}))
				c.NewEDTAt(c.Place(k), placed, nil)
			}
		})
	}, edttest.Workers(3), edttest.MaxSchedules(300))
	if r.Failure != nil || elsewhere == 0 {
		t.Errorf("%v, %d placed EDTs ran elsewhere", r.Failure, elsewhere)
	}
}

// A scope may close late, as a worker keeps its tokens. Searches in which workers go idle between EDTs find that. The
// pruned search finds it with tidy workers, and its schedule fails again when it is replayed.
func TestScopesCloseEarlyAndLate(t *testing.T) {
	program := func(trial *edttest.Trial) edt.Func {
		order := ""
		trial.Same("order", func() any { return order })
		return body(func(c *edt.Ctx, _ edt.Args) {
			member := c.NewTemplate("member", 0, 1, body(func(*edt.Ctx, edt.Args) {}))
			scope, finished := c.Spawn(member, &edt.Spec{Finish: true, Output: true})
			block := c.NewBlockNoAcquire(8)
			start(c, "after", func(*edt.Ctx, edt.Args) {
				order += "after "
			}, edt.From(finished, datablock.Null), edt.From(block, datablock.RW))
			c.AddDependence(guid.Null, scope, 0, datablock.Null)
			start(c, "beside", func(*edt.Ctx, edt.Args) { order += "beside " }, edt.From(block, datablock.RW))
		})
	}
	for name, opts := range searches {
		r := edttest.Search(program, opts...)
		if found, idles := r.Failure != nil, name != "delays" && name != "holds"; found != idles {
			t.Errorf("%s: found %v, want %v: %v", name, found, idles, r)
		}
		if r.Failure == nil {
			continue
		}
		replayed(t, name, program, func(error) bool { return true }, r.Failure, opts)
	}
}
