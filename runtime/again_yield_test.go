//go:build yield

package runtime

import (
	"fmt"
	"testing"

	"ocr/edt"
)

// A cast is a crew whose workers run a graph: the steps of its EDTs are those of the host, and
// the calls of yield in their bodies.
type cast struct {
	*crew
	graph *edt.Graph
	parts []part // in the order in which they have begun
	wrong error
}

// A part is an EDT that has begun.
type part struct {
	round  int  // which it is, or belongs to
	child  bool // of that round, else the round itself
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

func (c *cast) note(w *edt.Ctx, round int, child bool) {
	c.parts = append(c.parts, part{round, child, w.Worker()})
}

// An EDT goes on, and makes EDTs ready before it says so and after that, while another worker searches, steals
// and parks: each runs once, and bound ones where they should.
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
							p.note(c, now, false)
							child := func() {
								c.NewEDTAt(at, body(c, func(c *edt.Ctx) {
									check(c)
									p.note(c, now, true)
								}), nil)
							}
							for range children[0] {
								child()
							}
							if round < rounds {
								c.Again()
							}
							for range children[1] {
								child()
							}
						}), nil)
					})
					return actors, func(ended bool) error { return p.end(ended, rounds*(1+children[0]+children[1])) }
				})
			})
		}
	}
}

// A message comes to a worker while an EDT goes on and on there: it runs at the end of the round at the latest. The
// worker may have received it, and then takes the EDT that goes on, which is newer.
func TestMessageToAnEDTThatGoesOnInEveryOrder(t *testing.T) {
	const rounds = roundLen + 10
	for _, tc := range []struct {
		name  string
		place func(c *edt.Ctx) edt.Affinity
	}{
		{"bound", func(c *edt.Ctx) edt.Affinity { return c.Bind(0) }},
		{"anywhere", func(*edt.Ctx) edt.Affinity { return 0 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
				p := newCast(2)
				round, sent, since := 0, false, 0
				actors := p.play(func(c *edt.Ctx) {
					message := body(c, func(c *edt.Ctx) {
						p.note(c, round, true)
						if since > roundLen+1 {
							p.wrong = fmt.Errorf("%d rounds have run before the message, where it was", since)
						}
					})
					c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
						c.NewEDTAt(c.Bind(0), message, nil)
						sent = true
					}), nil)
					c.NewEDTAt(tc.place(c), body(c, func(c *edt.Ctx) {
						p.note(c, round, false)
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
						p.note(c, round, false)
						if round++; round == 2 {
							return
						}
						c.NewEDT(body(c, func(c *edt.Ctx) {
							p.note(c, 0, true)
							stolen = true
						}), nil)
						c.Again()
						for range 2 { // the first of bound ones is not put into a list
							c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) { p.note(c, 0, true) }), nil)
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
