package edttest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A mesh is a random program of a few EDTs that share blocks and events. Its result is what every EDT has read, and the
// last writers of each block, or the misuse that ended it.
type mesh struct {
	blocks []guid.GUID
	once   guid.GUID
	sticky guid.GUID
	same   guid.GUID // idempotent
	latch  guid.GUID
	link   guid.GUID // channel
	values []uint64  // of the blocks
	read   map[string]uint64
}

func (m *mesh) String() string { return fmt.Sprint(m.values, m.read) }

// access reads or writes the value of a block that an EDT holds. The values are outside the blocks, but only holders
// access them.
func (m *mesh) access(name string, id uint64, b int, mode datablock.Mode) {
	switch mode {
	case datablock.RW, datablock.EW:
		m.values[b] = m.values[b]*31 + id
	case datablock.RO, datablock.Const:
		m.read[name] = m.read[name]*31 + m.values[b]
	}
}

// spawn creates an EDT that waits for a block and perhaps an event, and then acts.
func (m *mesh) spawn(c *edt.Ctx, parent *rand.Rand, name string, idempotent bool) {
	rng := rand.New(rand.NewPCG(parent.Uint64(), 0))
	id := rng.Uint64N(1000) + 1
	b := rng.IntN(len(m.blocks))
	mode := []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}[rng.IntN(5)]
	deps := []edt.Source{edt.From(m.blocks[b], mode)}
	switch rng.IntN(8) {
	case 0:
		deps = append(deps, edt.From(m.sticky, datablock.Null))
	case 1:
		deps = append(deps, edt.From(m.latch, datablock.Null))
	case 2:
		deps = append(deps, edt.From(m.link, datablock.Null))
	case 3:
		deps = append(deps, edt.From(m.once, datablock.Null))
	}
	start(c, name, func(c *edt.Ctx, in edt.Args) {
		m.access(name, id, b, mode)
		if len(deps) == 2 {
			m.read[name+" from"] = uint64(slices.Index(m.blocks, in.Dep(1).GUID()))
		}
		for k := range rng.IntN(3) {
			m.act(c, rng, fmt.Sprint(name, ".", k), idempotent)
		}
	}, deps...)
}

// scope creates a finish EDT with two EDTs in its scope, an EDT that waits for the scope, and an EDT that the finish
// EDT destroys.
func (m *mesh) scope(c *edt.Ctx, rng *rand.Rand, idempotent bool) {
	own := rand.New(rand.NewPCG(rng.Uint64(), 0))
	never := c.NewEDT(c.NewTemplate("never", 0, 1, body(func(*edt.Ctx, edt.Args) {})), nil)
	t := c.NewTemplate("scope", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
		m.spawn(c, own, "s.0", idempotent)
		m.spawn(c, own, "s.1", idempotent)
		c.DestroyEDT(never)
	}))
	scope, finished := c.Spawn(t, &edt.Spec{Finish: true, Output: true})
	start(c, "after", func(*edt.Ctx, edt.Args) { m.access("after", 7, 0, datablock.RW) },
		edt.From(finished, datablock.Null), edt.From(m.blocks[0], datablock.RW))
	c.AddDependence(guid.Null, scope, 0, datablock.Null)
}

func (m *mesh) act(c *edt.Ctx, rng *rand.Rand, name string, idempotent bool) {
	switch rng.IntN(10) {
	case 0:
		if rng.IntN(2) == 0 {
			c.Satisfy(m.sticky, guid.Null)
		}
	case 1:
		c.Satisfy(m.latch, guid.Null)
	case 2, 6:
		c.Satisfy(m.link, m.blocks[rng.IntN(len(m.blocks))])
	case 3:
		c.Satisfy(m.once, guid.Null)
	case 7:
		if rng.IntN(3) == 0 {
			c.DestroyEvent(m.link)
		}
	case 4, 5:
		if idempotent {
			c.Satisfy(m.same, m.blocks[rng.IntN(len(m.blocks))])
		}
	default:
		if len(name) < 5 {
			m.spawn(c, rng, name, idempotent)
		}
	}
}

// outcomes makes the program of a seed. It passes the result of each run to add.
func outcomes(seed uint64, add func(string)) edttest.Program {
	return func(trial *edttest.Trial) edt.Func {
		m := &mesh{read: make(map[string]uint64)}
		rng := rand.New(rand.NewPCG(seed, 7))
		trial.End(func(err error) error {
			var misuse *edt.Error
			var stuck *edt.StuckError
			switch {
			case errors.As(err, &misuse):
				add(misuse.Cause.Error())
			case errors.As(err, &stuck):
				add(fmt.Sprint("stuck ", m))
			default:
				add(m.String())
			}
			return nil
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 2 {
				m.blocks = append(m.blocks, c.NewBlockNoAcquire(8))
			}
			m.values = make([]uint64, len(m.blocks))
			m.once, m.sticky, m.latch = c.NewEvent(edt.Once), c.NewEvent(edt.Sticky), c.NewLatch(2)
			m.link = c.NewChannel(edt.Unbounded)
			idempotent := seed%4 == 0
			if idempotent {
				m.same = c.NewEvent(edt.Idempotent)
				start(c, "same", func(c *edt.Ctx, in edt.Args) {
					m.read["same"] = uint64(slices.Index(m.blocks, in.Dep(0).GUID()))
				}, edt.From(m.same, datablock.Null))
			}
			n := 5
			if seed%3 == 0 {
				m.scope(c, rng, idempotent)
				n = 3
			}
			for k := range n {
				m.spawn(c, rng, fmt.Sprint(k), idempotent)
			}
		})
	}
}

// The pruned search finds every outcome of all orders, in fewer schedules.
func TestPrunedSearchMissesNothing(t *testing.T) {
	seeds := testrun.Sized[uint64](25, 120, 500)
	compared, all, pruned, ways := 0, 0, 0, 0
	for seed := range seeds {
		orders, r, n := compare(t, func(add func(string)) edttest.Program { return outcomes(seed, add) })
		if orders > 0 {
			compared++
		}
		all, pruned, ways = all+orders, pruned+r.Schedules+r.Redundant, ways+n
	}
	said := fmt.Sprintf("%d programs: %d schedules, pruned to %d, with %d outcomes", compared, all, pruned, ways)
	t.Log(said)
	if compared < int(seeds)*3/4 || pruned >= all*3/4 || ways <= compared {
		t.Error(said)
	}
}

// compare compares the outcomes of the pruned search with those of all orders, of which it returns the number, 0 for
// too many.
func compare(t *testing.T, program func(add func(string)) edttest.Program) (orders int, r edttest.Report, ways int) {
	want, got := make(map[string]bool), make(map[string]bool)
	orders, complete := edttest.AllOrders(program(func(s string) { want[s] = true }), 600)
	if !complete {
		return 0, r, 0
	}
	r = edttest.Search(program(func(s string) { got[s] = true }), edttest.Workers(1), edttest.MaxSchedules(3000),
		edttest.Pruned())
	if diff := cmp.Diff(want, got); diff != "" || !r.Complete {
		t.Errorf("%s: %v against %d orders: %s", t.Name(), r, orders, diff)
	}
	return orders, r, len(want)
}

// lastOfTwo is a program in which A and B together make E acquire a block that C makes F acquire. B and C also send to
// a channel. how says what A and B do.
func lastOfTwo(how string, add func(string)) edttest.Program {
	return func(trial *edttest.Trial) edt.Func {
		holders, first := "", 0 // the holders of the block in turn, and the message that came first
		trial.End(func(err error) error {
			add(fmt.Sprint(holders, first, err))
			return nil
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			x, y, link := c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(8), c.NewChannel(edt.Unbounded)
			if x.Compare(y) < 0 { // E acquires y first
				x, y = y, x
			}
			start(c, "receive", func(_ *edt.Ctx, in edt.Args) {
				first = slices.Index([]guid.GUID{x, y}, in.Dep(0).GUID())
			}, edt.From(link, datablock.Null))
			holder := func(name string, slots int) guid.GUID {
				e := c.NewEDT(c.NewTemplate(name, 0, slots, body(func(*edt.Ctx, edt.Args) { holders += name })), nil)
				c.AddDependence(x, e, 0, datablock.EW)
				return e
			}
			e, f, event := holder("E", 3), holder("F", 2), c.NewEvent(edt.Sticky)
			does, mode := func(*edt.Ctx, int) {}, datablock.Null
			begin := func(c *edt.Ctx, _ edt.Args) {
				for k, name := range []string{"A", "B"} {
					start(c, name, func(c *edt.Ctx, _ edt.Args) {
						if k == 1 {
							c.Satisfy(link, x)
						}
						does(c, k)
					}, edt.From(y, mode))
				}
			}
			latch := c.NewLatch(2)
			switch how {
			case "fill":
				does = func(c *edt.Ctx, k int) { c.AddDependence(guid.Null, e, 1+k, datablock.Null) }
			case "count":
				c.AddDependence(latch, e, 1, datablock.Null)
				does = func(c *edt.Ctx, _ int) { c.Satisfy(latch, guid.Null) }
			case "wait":
				start(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(event, guid.Null) }, edt.From(latch, datablock.Null))
				does = func(c *edt.Ctx, k int) {
					c.AddDependence(event, []guid.GUID{e, f}[k], 1, datablock.Null)
					c.Satisfy(latch, guid.Null)
				}
			case "release":
				mode = datablock.Const
			}
			if how == "end" {
				_, ended := c.Spawn(c.NewTemplate("scope", 0, 0, body(begin)), &edt.Spec{Finish: true, Output: true})
				c.AddDependence(ended, e, 1, datablock.Null)
			} else {
				begin(c, edt.Args{})
			}
			if how == "release" {
				c.AddDependence(y, e, 1, datablock.EW)
			}
			if how != "fill" {
				c.AddDependence(guid.Null, e, 2, datablock.Null)
			}
			start(c, "D", func(c *edt.Ctx, _ edt.Args) {
				start(c, "C", func(c *edt.Ctx, _ edt.Args) {
					c.Satisfy(link, y)
					if how != "wait" {
						c.AddDependence(guid.Null, f, 1, datablock.Null)
					}
				})
			})
		})
	}
}

// The last of several EDTs that fill slots, count, end in a scope or release a block makes another EDT acquire blocks,
// and the order in which EDTs wait is that in which others do. The pruned search misses none of these orders.
func TestPrunedSearchKnowsTheLast(t *testing.T) {
	for _, how := range []string{"fill", "count", "end", "release", "wait"} {
		t.Run(how, func(t *testing.T) {
			orders, r, ways := compare(t, func(add func(string)) edttest.Program { return lastOfTwo(how, add) })
			t.Logf("%d orders, %d outcomes; %v", orders, ways, r)
		})
	}
}

// A finish scope without an output event fills no slot.
func TestPrunedSearchKnowsQuietScopes(t *testing.T) {
	compare(t, func(add func(string)) edttest.Program {
		return func(trial *edttest.Trial) edt.Func {
			first := 0
			trial.End(func(error) error { add(fmt.Sprint(first)); return nil })
			return body(func(c *edt.Ctx, _ edt.Args) {
				link, sent := c.NewChannel(edt.Unbounded), []guid.GUID{c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(8)}
				start(c, "receive", func(_ *edt.Ctx, in edt.Args) { first = slices.Index(sent, in.Dep(0).GUID()) },
					edt.From(link, datablock.Null))
				send := func(c *edt.Ctx, _ edt.Args) { c.Satisfy(link, sent[0]) }
				c.Spawn(c.NewTemplate("scope", 0, 0, body(send)), &edt.Spec{Finish: true})
				start(c, "create", func(c *edt.Ctx, _ edt.Args) {
					start(c, "send", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(link, sent[1]) },
						edt.From(guid.Null, datablock.Null))
				})
			})
		}
	})
}

// Independent EDTs are run in one order, conflicting ones in all.
func TestPrunedCounts(t *testing.T) {
	share := func(n int, mode datablock.Mode) edttest.Program {
		return func(*edttest.Trial) edt.Func {
			return body(func(c *edt.Ctx, _ edt.Args) {
				block := c.NewBlockNoAcquire(8)
				for k := range n {
					start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) {}, edt.From(block, mode))
				}
			})
		}
	}
	join := func(n int, latch bool) edttest.Program {
		return func(*edttest.Trial) edt.Func {
			return body(func(c *edt.Ctx, _ edt.Args) {
				last := c.NewEDT(c.NewTemplate("last", 0, n, body(func(*edt.Ctx, edt.Args) {})), nil)
				count := c.NewLatch(int64(n))
				for k := range n {
					start(c, fmt.Sprint(k), func(c *edt.Ctx, _ edt.Args) {
						if latch {
							c.Satisfy(count, guid.Null)
						} else {
							c.AddDependence(guid.Null, last, k, datablock.Null)
						}
					})
				}
				if latch {
					for k := range n {
						c.AddDependence(count, last, k, datablock.Null)
					}
				}
			})
		}
	}
	for name, tc := range map[string]struct {
		program edttest.Program
		want    int
	}{
		"independent":         {independent(8), 1},
		"readers":             {share(8, datablock.RO), 1},
		"no access":           {share(8, datablock.Null), 1},
		"writers":             {share(4, datablock.RW), 24},
		"exclusive, in queue": {share(4, datablock.EW), 1},
		"join by slots":       {join(8, false), 1},
		"join by a latch":     {join(8, true), 1},
	} {
		for _, workers := range []int{1, 2, 3, 8} {
			r := edttest.Search(tc.program, edttest.Pruned(), edttest.Workers(workers))
			if r.Schedules != tc.want || !r.Complete || r.Failure != nil {
				t.Errorf("%s on %d workers: %v, want %d", name, workers, r, tc.want)
			}
		}
	}
}

// A program that does not end is found, even if the search starts anew because observers are not told of something.
func TestPrunedFindsNoEndDespiteIdempotent(t *testing.T) {
	r := edttest.Search(func(*edttest.Trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			c.DestroyEvent(c.NewEvent(edt.Idempotent))
			var again func(c *edt.Ctx, _ edt.Args)
			again = func(c *edt.Ctx, _ edt.Args) { start(c, "again", again) }
			start(c, "again", again)
		})
	}, edttest.Pruned(), edttest.MaxSteps(50), edttest.MaxSchedules(10))
	testrun.Contains(t, r.String(), "did not end within 50 EDTs")
}

func TestPrunedTellsOfProgramsThatDiffer(t *testing.T) {
	runs := 0
	r := edttest.Search(func(*edttest.Trial) edt.Func {
		runs++
		n := 4 / runs
		return body(func(c *edt.Ctx, _ edt.Args) {
			block := c.NewBlockNoAcquire(8)
			for k := range n {
				start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) {}, edt.From(block, datablock.RW))
			}
		})
	}, edttest.Pruned(), edttest.Workers(1))
	testrun.Contains(t, r.String(), "not deterministic")
}
