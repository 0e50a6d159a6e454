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

// overThree runs a program over three ranks of one worker each, under many orders of messages. Worker k is on rank k.
func overThree(t *testing.T, build func(tr *trial) edt.Func) {
	t.Helper()
	for seed := range uint64(60) {
		tr := &trial{t: t, workers: 3, ranks: 3, where: fmt.Sprintf("seed %d, 3 ranks", seed)}
		main := build(tr)
		h := edttest.NewRanks(seed, 3, edt.Config{Workers: 1})
		tr.judge(h.Run(main))
		h.Graph.Close()
		if t.Failed() {
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

// TestCausesComeFirst: if rank 0 sends a message to rank 2 and then one to rank 1, the first is handled on rank 2
// before a message that rank 1 sends there because of the second. Each of these programs fails if a message may
// overtake another rank's.
func TestCausesComeFirst(t *testing.T) {
	programs := map[string]func(tr *trial, c *edt.Ctx, ran *tally){
		"a latch is counted up before it is counted down": func(tr *trial, c *edt.Ctx, ran *tally) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				latch := c.NewLatch(1)
				launch(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(latch))
				c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
					wake := on(c, 1, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(latch, guid.Null) })
					c.SatisfySlot(latch, guid.Null, edt.Incr)
					c.Satisfy(wake, guid.Null)
					c.Satisfy(latch, guid.Null)
				}), guid.Null)
			}), guid.Null)
		},
		"a once event is waited for before it triggers": func(tr *trial, c *edt.Ctx, ran *tally) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				once := c.NewEvent(edt.Once)
				c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
					wake := on(c, 1, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(once, guid.Null) })
					task := c.NewEDTAt(c.Bind(0), c.NewTemplate("waits", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() })), nil)
					c.AddDependence(once, task, 0, datablock.Null)
					c.Satisfy(wake, guid.Null)
				}), guid.Null)
			}), guid.Null)
		},
		"a slot is filled before a block is destroyed that its EDT uses": func(tr *trial, c *edt.Ctx, ran *tally) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				block := c.NewBlockNoAcquire(8) // that no other rank knows
				hi, lo := block.Words()
				task := c.NewEDTAt(c.Bind(2), c.NewTemplate("uses", 0, 2, body(func(*edt.Ctx, edt.Args) { ran.add() })), nil,
					edt.From(block, datablock.RO), edt.From(guid.Uninitialized, datablock.Null))
				c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
					event := c.NewEvent(edt.Once)
					c.AddDependence(event, task, 1, datablock.Null)
					wake := on(c, 1, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(guid.FromWords(hi, lo)) })
					c.Satisfy(event, guid.Null)
					c.Satisfy(wake, guid.Null)
				}), guid.Null)
			}), guid.Null)
		},
		"an event is gone before another rank hears of it": func(tr *trial, c *edt.Ctx, ran *tally) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				event := c.NewEvent(edt.Sticky)
				c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
					wake := on(c, 1, func(c *edt.Ctx, _ edt.Args) {
						ran.add()
						if c.Exists(event) {
							tr.Errorf("the event exists after its destruction")
						}
					})
					c.DestroyEvent(event)
					c.Satisfy(wake, guid.Null)
				}), guid.Null)
			}), guid.Null)
		},
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			overThree(t, func(tr *trial) edt.Func {
				ran := tr.times("EDT", 1)
				return body(func(c *edt.Ctx, _ edt.Args) { program(tr, c, ran) })
			})
		})
	}
}

// TestPassedOnLate: what an event passes on to a third rank may come after the next call of its satisfier. If that is
// an error, its text says so.
func TestPassedOnLate(t *testing.T) {
	late := 0
	for seed := range uint64(60) {
		h := edttest.NewRanks(seed, 3, edt.Config{Workers: 1})
		err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
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
		h.Graph.Close()
		if err == nil {
			continue
		}
		late++
		if !errors.Is(err, edt.ErrStale) ||
			!strings.Contains(
				err.Error(), "passed on by an event of rank 1; what is called after the satisfaction of that may come first",
			) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if late == 0 || late == 60 {
		t.Errorf("of 60 orders of messages %d are late", late)
	}
}

// TestNameBeforeCreation: an EDT that became ready through a third rank uses the name of an EDT that another rank
// creates here, before the creation arrives.
func TestNameBeforeCreation(t *testing.T) {
	overThree(t, func(tr *trial) edt.Func {
		ran := tr.times("made", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			var name guid.GUID
			made := c.NewTemplate("made", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() }))
			maker := c.NewTemplate("maker", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { name = c.NewEDTAt(c.Bind(2), made, nil) }))
			uses := c.NewTemplate("uses", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				c.AddDependence(guid.Null, name, 0, datablock.Null)
			}))
			hold, written := c.Spawn(maker, &edt.Spec{Output: true, Hint: edt.Hint{Affinity: c.Bind(1)}})
			c.NewEDTAt(c.Bind(2), uses, nil, rw(written))
			c.AddDependence(guid.Null, hold, 0, datablock.Null)
		})
	})
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
				var e *edt.Error
				if !errors.As(err, &e) || e.Cause != edt.ErrStale || e.Op != "acquire" || e.Target != block {
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
		overThree(t, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				want := fmt.Sprintf("slot %d of it waited for an event of rank 1; an EDT without connected slots can be destroyed",
					slots-1)
				if !errors.Is(err, edt.ErrStale) || !strings.Contains(err.Error(), want) {
					tr.Errorf("%v, want %s", err, want)
				}
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
			var panicked *edt.PanicError
			if !errors.As(err, &panicked) || panicked.Value != "on purpose" {
				t.Fatalf("seed %d, on rank %d: %v", seed, found, err)
			}
		}
	}
}
