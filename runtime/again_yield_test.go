//go:build yield

package runtime

import (
	"fmt"
	"slices"
	"testing"

	"ocr/edt"
)

// A cast is a crew whose workers run a graph: the steps of its EDTs are those of the host, and
// the calls of yield in their bodies.
type cast struct {
	*crew
	graph  *edt.Graph
	rounds int    // of the EDT that goes on
	parts  []part // in the order in which they have begun
	wrong  error
}

// A part is an EDT that has begun.
type part struct {
	round  int  // which it is, or belongs to
	child  bool // of that round, else the round itself
	early  bool // made before the call of Again
	worker int
}

func newCast(workers int) *cast {
	c := &cast{crew: newCrew(workers)}
	c.graph = edt.NewGraph(edt.Config{Workers: workers})
	c.crew.pool.graph = c.graph
	for _, w := range c.workers {
		w.core = c.graph.NewWorker(w)
		w.rounds = 1 << 30 // the newest first, always
	}
	return c
}

func (c *cast) play(main func(c *edt.Ctx)) (actors []func()) {
	for id, w := range c.workers {
		actors = append(actors, func() {
			w.guarded(func() {
				if id == 0 {
					c.graph.Begin(starting(main), nil)
				}
				w.run()
			})
		})
	}
	return actors
}

// end says what is wrong if the graph was not run to its end, or another number of EDTs has begun.
func (c *cast) end(ended bool, begun int) error {
	defer c.graph.Close()
	switch {
	case c.wrong != nil:
		return c.wrong
	case c.graph.Ended() != nil:
		return c.graph.Ended().Err
	case !ended:
		return fmt.Errorf("a worker sleeps and none wakes it")
	case c.graph.Stuck() != nil:
		return c.graph.Stuck()
	case len(c.parts) != begun:
		return fmt.Errorf("%d EDTs have begun, want %d", len(c.parts), begun)
	}
	return nil
}

func (c *cast) note(w *edt.Ctx, round int, child, early bool) {
	c.parts = append(c.parts, part{round, child, early, w.Worker()})
}

// inTurn says what is wrong with the order: a worker that runs a round and the next one has no
// child of the first left that was made after the call. Others may have it.
func (c *cast) inTurn() error {
	begins := func(round int) int {
		return slices.IndexFunc(c.parts, func(p part) bool { return !p.child && p.round == round })
	}
	for round := range c.rounds - 1 {
		at, next := begins(round), begins(round+1)
		for _, late := range c.parts[next+1:] {
			if late.child && !late.early && late.round == round && late.worker == c.parts[at].worker &&
				late.worker == c.parts[next].worker {
				return fmt.Errorf("worker %d runs round %d before a child of the one before", late.worker, round+1)
			}
		}
	}
	return nil
}

// An EDT goes on, and makes EDTs ready before it says so and after that, while another worker searches, steals
// and parks: each runs once, in its turn, and bound ones where they should.
func TestGoesOnInEveryOrder(t *testing.T) {
	const rounds = 3
	for name, place := range map[string]func(c *edt.Ctx) edt.Affinity{
		"anywhere":          func(*edt.Ctx) edt.Affinity { return 0 },
		"placed":            func(c *edt.Ctx) edt.Affinity { return c.Place(0) },
		"placed on another": func(c *edt.Ctx) edt.Affinity { return c.Place(1) },
		"bound":             func(c *edt.Ctx) edt.Affinity { return c.Bind(0) },
		"bound to another":  func(c *edt.Ctx) edt.Affinity { return c.Bind(1) },
	} {
		for _, children := range [][2]int{{0, 1}, {0, 2}, {1, 1}} {
			t.Run(fmt.Sprintf("%s, %d before and %d after", name, children[0], children[1]), func(t *testing.T) {
				inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
					p := newCast(2)
					p.rounds = rounds
					actors := p.play(func(c *edt.Ctx) {
						at := place(c)
						check := func(c *edt.Ctx) {
							if at.Strict() && c.Worker() != at.Worker() {
								p.wrong = fmt.Errorf("an EDT bound to worker %d runs on %d", at.Worker(), c.Worker())
							}
						}
						round := 0
						c.NewEDTAt(at, body(c, func(c *edt.Ctx) {
							now := round
							round++
							check(c)
							p.note(c, now, false, false)
							child := func(early bool) {
								c.NewEDTAt(at, body(c, func(c *edt.Ctx) {
									check(c)
									p.note(c, now, true, early)
								}), nil)
							}
							for range children[0] {
								child(true)
							}
							if round < rounds {
								c.Again()
							}
							for range children[1] {
								child(false)
							}
						}), nil)
					})
					return actors, func(ended bool) error {
						if err := p.end(ended, rounds*(1+children[0]+children[1])); err != nil {
							return err
						}
						return p.inTurn()
					}
				})
			})
		}
	}
}

// A message comes to a worker while an EDT goes on and on there: it runs next if that EDT is bound there, else at the
// end of the round at the latest: the worker may have received it, and then taken that EDT out of its next-task slot.
func TestMessageToAnEDTThatGoesOnInEveryOrder(t *testing.T) {
	const rounds = roundLen + 10
	for _, tc := range []struct {
		name   string
		place  func(c *edt.Ctx) edt.Affinity
		within int // rounds
	}{
		{"bound", func(c *edt.Ctx) edt.Affinity { return c.Bind(0) }, 1},
		{"anywhere", func(*edt.Ctx) edt.Affinity { return 0 }, roundLen + 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
				p := newCast(2)
				round, sent, since := 0, false, 0
				actors := p.play(func(c *edt.Ctx) {
					message := body(c, func(c *edt.Ctx) {
						p.note(c, round, true, false)
						if since > tc.within {
							p.wrong = fmt.Errorf("%d rounds have run before the message, where it was", since)
						}
					})
					c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
						c.NewEDTAt(c.Bind(0), message, nil)
						sent = true
					}), nil)
					c.NewEDTAt(tc.place(c), body(c, func(c *edt.Ctx) {
						p.note(c, round, false, false)
						if sent && c.Worker() == 0 {
							since++
						}
						if round++; round < rounds {
							c.Again()
						}
						switch round {
						case 1, 2, roundLen - 1, roundLen, roundLen + 1:
							yield()
						}
					}), nil)
				})
				return actors, func(ended bool) error { return p.end(ended, rounds+1) }
			})
		})
	}
}

// What was ready before the call is taken by another worker while the body goes on: an EDT does not lie beside a
// parked worker because one that goes on has moved it from list to list.
func TestStealsBesideAnEDTThatGoesOnInEveryOrder(t *testing.T) {
	for name, place := range map[string]func(c *edt.Ctx) edt.Affinity{
		"anywhere": func(*edt.Ctx) edt.Affinity { return 0 },
		"bound":    func(c *edt.Ctx) edt.Affinity { return c.Bind(0) },
	} {
		t.Run(name, func(t *testing.T) {
			inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
				p := newCast(2)
				round, stolen := 0, false
				actors := p.play(func(c *edt.Ctx) {
					at := place(c)
					c.NewEDTAt(at, body(c, func(c *edt.Ctx) {
						p.note(c, round, false, false)
						if round++; round == 2 {
							return
						}
						c.NewEDT(body(c, func(c *edt.Ctx) {
							p.note(c, 0, true, true)
							stolen = true
						}), nil)
						c.Again()
						for range 2 { // the first of bound ones is not put into a list
							c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) { p.note(c, 0, true, false) }), nil)
						}
						for !stolen && !p.stopped.Load() {
							yield()
						}
					}), nil)
				})
				return actors, func(ended bool) error { return p.end(ended, 5) }
			})
		})
	}
}

// What is filed below the EDTs that a body has made ready is found by another worker while the newest of those runs.
func TestStealsWhatIsFiledInEveryOrder(t *testing.T) {
	inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
		p := newCast(2)
		round, others := 0, 0
		actors := p.play(func(c *edt.Ctx) {
			c.NewEDT(body(c, func(c *edt.Ctx) {
				p.note(c, round, false, false)
				if round++; round == 2 {
					others++
					return
				}
				c.Again()
				c.NewEDT(body(c, func(c *edt.Ctx) {
					p.note(c, 0, true, false)
					others++
				}), nil)
				c.NewEDT(body(c, func(c *edt.Ctx) {
					p.note(c, 0, true, false)
					for others == 0 && !p.stopped.Load() {
						yield()
					}
				}), nil)
			}), nil)
		})
		return actors, func(ended bool) error { return p.end(ended, 4) }
	})
}
