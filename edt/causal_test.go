package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// overThree runs a program over three ranks of one worker each, under many orders of messages. Worker k is on rank k.
// Every other run records sites.
func overThree(t *testing.T, seeds uint64, build func(tr *trial) edt.Func) {
	t.Helper()
	for seed := range seeds {
		tr := &trial{t: t, workers: 3, ranks: 3, sites: seed%2 == 0, where: fmt.Sprintf("seed %d, 3 ranks", seed)}
		if tr.simulate(seed, build); t.Failed() {
			return
		}
	}
}

// on creates an EDT with one slot on a rank. The EDT runs when the returned event is satisfied.
func on(c *edt.Ctx, rank int, f action) (wake guid.GUID) {
	wake = c.NewEvent(edt.Sticky)
	c.NewEDTAt(c.Bind(rank), c.NewTemplate(fmt.Sprintf("on %d", rank), 0, 1, body(f)), nil, edt.From(wake, datablock.Null))
	return wake
}

// TestCausesComeFirst: if rank 1 sends a message to rank 2 and then one to rank 0, the first is handled on rank 2
// before a message that rank 0 sends there because of the second. Each of these programs fails if a message may
// overtake another rank's.
func TestCausesComeFirst(t *testing.T) {
	var hi, lo uint64 // of a block that no other rank knows
	for _, tc := range []across{
		{"a latch is counted up before it is counted down", latchAt(1),
			func(_ *trial, c *edt.Ctx, latch guid.GUID, ran *tally) {
				here(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(latch))
				wake := on(c, 0, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(latch, guid.Null) })
				c.SatisfySlot(latch, guid.Null, edt.Incr)
				c.Satisfy(wake, guid.Null)
				c.Satisfy(latch, guid.Null)
			}, 1},
		{"a once event is waited for before it triggers", eventOf(edt.Once),
			func(_ *trial, c *edt.Ctx, once guid.GUID, ran *tally) {
				wake := on(c, 0, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(once, guid.Null) })
				here(c, func(*edt.Ctx, edt.Args) { ran.add() }, edt.From(once, datablock.Null))
				c.Satisfy(wake, guid.Null)
			}, 1},
		{"a slot is filled before a block is destroyed that its EDT uses", func(c *edt.Ctx) guid.GUID {
			block := c.NewBlockNoAcquire(8)
			hi, lo = block.Words()
			return c.NewEDTAt(c.Bind(2), c.NewTemplate("uses", 0, 2, body(nothing)), nil, edt.From(block, datablock.RO),
				edt.Open)
		}, func(_ *trial, c *edt.Ctx, task guid.GUID, _ *tally) {
			event := c.NewEvent(edt.Once)
			c.AddDependence(event, task, 1, datablock.Null)
			wake := on(c, 0, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(guid.FromWords(hi, lo)) })
			c.Satisfy(event, guid.Null)
			c.Satisfy(wake, guid.Null)
		}, 0},
		{"an event is gone before another rank hears of it", eventOf(edt.Sticky),
			func(tr *trial, c *edt.Ctx, event guid.GUID, ran *tally) {
				wake := on(c, 0, func(c *edt.Ctx, _ edt.Args) {
					if ran.add(); c.Exists(event) {
						tr.Errorf("the event exists after its destruction")
					}
				})
				c.DestroyEvent(event)
				c.Satisfy(wake, guid.Null)
			}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.onThree(t, 60) })
	}
}

// TestPassedOnLate: what an event passes on to a third rank may come after the next call of its satisfier. If that is
// an error, its text says so.
func TestPassedOnLate(t *testing.T) {
	late := 0
	for seed := range uint64(60) {
		err := runOverRanks(seed, 3, body(func(c *edt.Ctx, _ edt.Args) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				fed := c.NewEvent(edt.Idempotent)
				c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) {
					feeds := c.NewEvent(edt.Idempotent)
					c.AddDependence(feeds, fed, 0, datablock.Null)
					c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
						c.Satisfy(feeds, guid.Null)
						c.DestroyEvent(fed)
						c.DestroyEvent(feeds)
					}), guid.Null)
				}), guid.Null)
			}), guid.Null)
		}))
		if err == nil {
			continue
		}
		late++
		testrun.Is(t, err, edt.ErrStale, "seed %d", seed)
		testrun.Contains(t, err.Error(),
			"passed on by an event of rank 1; what is called after the satisfaction of that may come first")
	}
	if late == 0 || late == 60 {
		t.Errorf("of 60 orders of messages %d are late", late)
	}
}

// TestNameBeforeCreation: an EDT that became ready through a third rank uses the name of an EDT that another rank
// creates here, before the creation arrives.
func TestNameBeforeCreation(t *testing.T) {
	overThree(t, 60, counting("made", 1, func(_ *trial, c *edt.Ctx, ran *tally) {
		var name guid.GUID
		made := c.NewTemplate("made", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() }))
		maker := c.NewTemplate("maker", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { name = c.NewEDTAt(c.Bind(2), made, nil) }))
		uses := c.NewTemplate("uses", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			c.AddDependence(guid.Null, name, 0, datablock.Null)
		}))
		hold, written := c.Spawn(maker, &edt.Spec{Output: true, Hint: edt.Hint{Affinity: c.Bind(1)}})
		c.NewEDTAt(c.Bind(2), uses, nil, rw(written))
		c.AddDependence(guid.Null, hold, 0, datablock.Null)
	}))
}

// TestDestroyedTooEarly: over ranks a block may be destroyed only when its runnable users have acquired it. Otherwise
// the run ends with an error that names the block, the EDT and this rule.
func TestDestroyedTooEarly(t *testing.T) {
	for name, tc := range map[string]struct {
		home, user, destroyer int
		behind                bool // the user's slot is filled by an event
	}{
		"home destroys":              {home: 1, user: 2, destroyer: 1},
		"home uses":                  {home: 1, user: 1, destroyer: 2},
		"user's rank destroys":       {home: 1, user: 2, destroyer: 2},
		"a third rank destroys":      {home: 1, user: 2, destroyer: 0},
		"home destroys, event":       {home: 2, user: 1, destroyer: 2, behind: true},
		"a third destroys, by event": {home: 2, user: 1, destroyer: 0, behind: true},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				var block guid.GUID
				err := runOverRanks(seed, 3, body(func(c *edt.Ctx, _ edt.Args) {
					c.Satisfy(on(c, tc.home, func(c *edt.Ctx, _ edt.Args) {
						block = c.NewBlockNoAcquire(1 << 13) // too large to go along with an event
						start, from := c.NewEvent(edt.Sticky), rw(block)
						if tc.behind {
							brings := c.NewEvent(edt.Sticky)
							c.Satisfy(brings, block)
							from = rw(brings)
						}
						uses := c.NewTemplate("uses", 0, 2, body(nothing))
						c.NewEDTAt(c.Bind(tc.user), uses, nil, from, edt.From(start, datablock.Null))
						c.Satisfy(on(c, tc.destroyer, func(c *edt.Ctx, _ edt.Args) {
							c.DestroyBlock(block)
							c.Satisfy(start, guid.Null)
						}), guid.Null)
					}), guid.Null)
				}))
				if e := testrun.As[*edt.Error](t, err); e.Cause != edt.ErrStale || e.Op != "acquire" || e.Target != block {
					t.Fatalf("seed %d: %v, want that %v is stale when it is acquired", seed, err, block)
				}
				testrun.Contains(t, err.Error(), "template uses",
					"; over ranks a block may be destroyed when its users have acquired it, not before")
			}
		})
	}
}

// TestDestroyedConnectedElsewhere: the home of an EDT does not know that a slot waits for an event of a third rank. The
// destruction of this EDT is found to be wrong when the event triggers or is destroyed.
func TestDestroyedConnectedElsewhere(t *testing.T) {
	for slots, then := range map[int]caller{2: satisfy, 5: (*edt.Ctx).DestroyEvent} {
		overThree(t, 60, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				testrun.Is(tr, err, edt.ErrStale)
				testrun.Fails(tr, err, fmt.Sprintf("slot %d of it waited for an event of rank 1; "+
					"an EDT without connected slots can be destroyed", slots-1))
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				event := c.NewEvent(edt.Sticky, c.Bind(1))
				task := waiting(slots)(c)
				c.AddDependence(event, task, slots-1, datablock.RW)
				c.DestroyEDT(task)
				then(c, event)
			})
		})
	}
}

// A panicObserver panics as soon as a message of another rank satisfies an event.
type panicObserver struct{ edt.NopObserver }

func (panicObserver) EventSatisfied(_, _, _ guid.GUID, _ int) { panic("on purpose") }

// TestPanicAfterTheEnd: if the handler of a message panics after a shutdown of the run, the panic is still an error of
// the run.
func TestPanicAfterTheEnd(t *testing.T) {
	for found := range 3 {
		for seed := range uint64(20) {
			h := edttest.NewRanks(seed, 3, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
				if me, _ := w.Rank(); me == found && w.Number() == w.Observed()-1 {
					return panicObserver{}
				}
				return edt.NopObserver{}
			}})
			err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
				c.Satisfy(on(c, found, func(c *edt.Ctx, _ edt.Args) {
					event := c.NewEvent(edt.Sticky)
					c.NewEDTAt(c.Bind((found+1)%3), c.NewTemplate("ender", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
						c.Satisfy(event, guid.Null)
						c.Shutdown()
					})), nil)
				}), guid.Null)
			}))
			h.Graph.Close()
			panicked := testrun.As[*edt.PanicError](t, err, "seed %d, on rank %d", seed, found)
			testrun.Equal[any](t, "on purpose", panicked.Value)
		}
	}
}
