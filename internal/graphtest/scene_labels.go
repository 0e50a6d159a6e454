package graphtest

import (
	"errors"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// scuffleStage: EDTs on all workers try to create the object of one label; who has
// succeeded destroys it, and others create it again. How often is up to the schedule,
// and noted.
type scuffleStage struct {
	cast
	kind           guid.Kind
	edts, attempts int
	span, label    guid.GUID
	victim         *edt.Template
	alive          atomic.Int32
}

func newScuffle(a cast) stage {
	kinds := []guid.Kind{guid.KindEvent, guid.KindBlock, guid.KindEDT}
	return &scuffleStage{cast: a, kind: kinds[a.rng.IntN(3)], edts: 2 + a.rng.IntN(4), attempts: 1 + a.rng.IntN(15)}
}

func (s *scuffleStage) open(c *edt.Ctx) {
	s.span = c.NewRange(3, s.kind)
	s.label = c.Label(s.span, 1)
	s.victim = c.NewTemplate("victim", 0, 2, func(*edt.Ctx, edt.Args) guid.GUID {
		s.x.problem("an EDT ran that had open slots")
		return guid.Null
	})
	for _, at := range s.places(c, s.edts) {
		part(c, at, func(c *edt.Ctx, _ edt.Args) {
			for range s.attempts {
				s.attempt(c)
			}
		})
	}
}

func (s *scuffleStage) attempt(c *edt.Ctx) {
	err := s.create(c)
	if errors.Is(err, edt.ErrExists) {
		return
	}
	if n := s.alive.Add(1); n != 1 || err != nil {
		s.x.problem("%d creators of one label think that they have won, error %v", n, err)
	}
	if !c.Exists(s.label) {
		s.x.problem("the object of a label does not exist after its creation")
	}
	s.alive.Add(-1)
	switch s.kind {
	case guid.KindEvent:
		c.DestroyEvent(s.label)
		s.x.wins[0].Add(1)
	case guid.KindBlock:
		c.DestroyBlock(s.label)
		s.x.wins[1].Add(1)
	default:
		c.DestroyEDT(s.label)
		s.x.wins[2].Add(1)
	}
}

func (s *scuffleStage) create(c *edt.Ctx) error {
	switch s.kind {
	case guid.KindEvent:
		return c.NewLabelledEvent(s.label, edt.Sticky)
	case guid.KindBlock:
		_, err := c.NewLabelledBlock(s.label, 100)
		return err
	}
	return c.NewLabelledEDT(s.label, s.victim, nil)
}

func (s *scuffleStage) close(c *edt.Ctx) {
	c.DestroyTemplate(s.victim)
	c.DestroyRange(s.span)
}

func (s *scuffleStage) count(n *edt.Counters) {
	countParts(n, s.edts)
	n.TemplateCreated++
}

// won returns how many events, blocks and EDTs were created in scuffles.
func (x *Execution) won() (events, blocks, edts uint64) {
	return uint64(x.wins[0].Load()), uint64(x.wins[1].Load()), uint64(x.wins[2].Load())
}

// reuseStage: under one label an event is created, triggers, and goes, again and
// again. A dependence and the satisfaction may come before their event exists.
type reuseStage struct {
	cast
	turns []reuseTurn
	ran   []bool
}

type reuseTurn struct {
	typ   edt.EventType
	order string // of c(reate), d(epend), s(atisfy)
}

func newReuse(a cast) stage {
	s := &reuseStage{cast: a}
	for range 1 + a.rng.IntN(6) {
		turn := reuseTurn{typ: edt.EventType(1 + a.rng.IntN(6))}
		orders := []string{"cds", "dcs", "dsc", "csd", "scd"}
		if turn.typ == edt.Once || turn.typ == edt.Latch {
			orders = orders[:3]
		}
		turn.order = orders[a.rng.IntN(len(orders))]
		s.turns = append(s.turns, turn)
	}
	s.ran = make([]bool, len(s.turns))
	return s
}

func (s *reuseStage) open(c *edt.Ctx) {
	r := c.NewRange(1, guid.KindEvent)
	label := c.Label(r, 0)
	for k, turn := range s.turns {
		t := c.NewTemplate("turn", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
			s.ran[k] = true
			return guid.Null
		})
		waits := c.NewEDT(t, nil)
		c.DestroyTemplate(t)
		for _, act := range turn.order {
			s.act(c, act, turn.typ, label, waits)
		}
		if turn.typ == edt.Sticky || turn.typ == edt.Idempotent || turn.typ == edt.Channel {
			c.DestroyEvent(label)
		}
	}
	c.DestroyRange(r)
}

func (s *reuseStage) act(c *edt.Ctx, act rune, typ edt.EventType, label, waits guid.GUID) {
	var err error
	switch {
	case act == 'd':
		c.AddDependence(label, waits, 0, datablock.RW)
	case act == 's':
		c.Satisfy(label, guid.Null)
	case typ == edt.Latch:
		err = c.NewLabelledLatch(label, 1)
	case typ == edt.Counted:
		err = c.NewLabelledCounted(label, 1)
	case typ == edt.Channel:
		err = c.NewLabelledChannel(label, 1)
	default:
		err = c.NewLabelledEvent(label, typ)
	}
	if err != nil {
		s.x.problem("a label could not be used again: %v", err)
	}
}

func (s *reuseStage) close(*edt.Ctx) {
	for k, ran := range s.ran {
		if !ran {
			s.x.problem("turn %d, %+v, did not run", k, s.turns[k])
		}
	}
}

func (s *reuseStage) count(n *edt.Counters) {
	turns := uint64(len(s.turns))
	countParts(n, len(s.turns))
	n.EventCreated += turns
	n.EventSatisfied += turns
	n.DependenceAdded += turns
}

// meetingStage: a label's event is created by whoever is first, while others wait for
// it and one satisfies it.
type meetingStage struct {
	cast
	makers, waiters int
	span, label     guid.GUID
	won, ran        atomic.Int32
}

func newMeeting(a cast) stage {
	return &meetingStage{cast: a, makers: 1 + a.rng.IntN(3), waiters: 1 + a.rng.IntN(6)}
}

func (s *meetingStage) open(c *edt.Ctx) {
	s.span = c.NewRange(1, guid.KindEvent)
	s.label = c.Label(s.span, 0)
	at := s.places(c, s.makers+s.waiters+1)
	part(c, at[0], func(c *edt.Ctx, _ edt.Args) { c.Satisfy(s.label, guid.Null) })
	for k, at := range at[1:] {
		part(c, at, func(c *edt.Ctx, _ edt.Args) {
			if k >= s.makers {
				part(c, 0, func(*edt.Ctx, edt.Args) { s.ran.Add(1) }, edt.From(s.label, datablock.Null))
			} else if c.NewLabelledEvent(s.label, edt.Sticky) == nil {
				s.won.Add(1)
			}
		})
	}
}

func (s *meetingStage) close(c *edt.Ctx) {
	if s.won.Load() != 1 || int(s.ran.Load()) != s.waiters {
		s.x.problem("%d EDTs of %d created a label's event, %d of %d that waited for it ran", s.won.Load(), s.makers, s.ran.Load(), s.waiters)
	}
	c.DestroyEvent(s.label)
	c.DestroyRange(s.span)
}

func (s *meetingStage) count(n *edt.Counters) {
	countParts(n, s.makers+2*s.waiters+1)
	n.EventCreated++
	n.EventSatisfied++
}
