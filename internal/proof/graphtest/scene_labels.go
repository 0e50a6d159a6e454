package graphtest

import (
	"errors"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// createRace lets EDTs on all workers try to create the object of one label; the one that succeeds destroys it, and
// others create it again. How often is up to the schedule, and noted in Execution.wins.
func createRace(s *stage) {
	kind := s.rng.IntN(3)
	edts, attempts := 2+s.rng.IntN(4), 1+s.rng.IntN(15)
	s.makes(edts, 0, 0, 0)
	s.counts.TemplateCreated++
	var span, label guid.GUID
	var victim *edt.Template
	ways := [...]struct {
		of      guid.Kind
		create  func(c *edt.Ctx) error
		destroy func(*edt.Ctx, guid.GUID)
	}{
		{guid.KindEvent, func(c *edt.Ctx) error { return c.NewLabelledEvent(label, edt.Sticky) }, (*edt.Ctx).DestroyEvent},
		{guid.KindBlock, func(c *edt.Ctx) error { _, err := c.NewLabelledBlock(label, 100); return err },
			(*edt.Ctx).DestroyBlock},
		{guid.KindEDT, func(c *edt.Ctx) error { return c.NewLabelledEDT(label, victim, nil) }, (*edt.Ctx).DestroyEDT},
	}
	way := ways[kind]
	var alive atomic.Int32
	attempt := func(c *edt.Ctx) {
		err := way.create(c)
		if errors.Is(err, edt.ErrExists) {
			return
		}
		if n := alive.Add(1); n != 1 || err != nil {
			s.x.problem("%d creators of one label think that they have won, error %v", n, err)
		}
		if !c.Exists(label) {
			s.x.problem("the object of a label does not exist after its creation")
		}
		alive.Add(-1)
		way.destroy(c, label)
		s.x.wins[kind].Add(1)
	}
	s.open = func(c *edt.Ctx) {
		span = c.NewRange(3, way.of)
		label = c.Label(span, 1)
		victim = s.victim(c, 2)
		for _, at := range s.places(c, edts) {
			part(c, at, func(c *edt.Ctx, _ edt.Args) {
				for range attempts {
					attempt(c)
				}
			})
		}
	}
	s.close = func(c *edt.Ctx) {
		c.DestroyTemplate(victim)
		c.DestroyRange(span)
	}
}

// A turn is one event of reuse.
type turn struct {
	typ   edt.EventType
	order string // of c(reate), d(epend), s(atisfy)
	ran   bool
}

// reuse creates an event under one label, which triggers, and goes, again and again. A
// dependence and the satisfaction may come before their event exists.
func reuse(s *stage) {
	turns := make([]turn, 1+s.rng.IntN(6))
	for k := range turns {
		typ := edt.EventType(1 + s.rng.IntN(6))
		orders := []string{"cds", "dcs", "dsc", "csd", "scd"}
		if typ == edt.Once || typ == edt.Latch {
			orders = orders[:3]
		}
		turns[k] = turn{typ: typ, order: orders[s.rng.IntN(len(orders))]}
	}
	s.makes(len(turns), len(turns), len(turns), 0)
	s.counts.DependenceAdded += uint64(len(turns))
	s.open = func(c *edt.Ctx) {
		r := c.NewRange(1, guid.KindEvent)
		label := c.Label(r, 0)
		for k := range turns {
			s.take(c, &turns[k], label)
		}
		c.DestroyRange(r)
	}
	s.close = func(*edt.Ctx) {
		for k, t := range turns {
			if !t.ran {
				s.x.problem("turn %d, %+v, did not run", k, t)
			}
		}
	}
}

// take makes a turn's EDT and its event, and lets the one wait for the other.
func (s *stage) take(c *edt.Ctx, of *turn, label guid.GUID) {
	t := c.NewTemplate("turn", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
		of.ran = true
		return guid.Null
	})
	waits := c.NewEDT(t, nil)
	c.DestroyTemplate(t)
	for _, act := range of.order {
		switch act {
		case 'c':
			if err := newLabelledEvent(c, label, of.typ, 1); err != nil {
				s.x.problem("a label could not be used again: %v", err)
			}
		case 'd':
			c.AddDependence(label, waits, 0, datablock.RW)
		case 's':
			c.Satisfy(label, guid.Null)
		}
	}
	if (&Event{Type: of.typ}).persistent() {
		c.DestroyEvent(label)
	}
}

// waitRace lets several EDTs race to create a label's event, while others wait for it and one satisfies it.
func waitRace(s *stage) {
	makers, waiters := 1+s.rng.IntN(3), 1+s.rng.IntN(6)
	s.makes(makers+2*waiters+1, 1, 1, 0)
	var span, label guid.GUID
	var won, ran atomic.Int32
	s.open = func(c *edt.Ctx) {
		span = c.NewRange(1, guid.KindEvent)
		label = c.Label(span, 0)
		at := s.places(c, makers+waiters+1)
		part(c, at[0], func(c *edt.Ctx, _ edt.Args) { c.Satisfy(label, guid.Null) })
		for k, at := range at[1:] {
			part(c, at, func(c *edt.Ctx, _ edt.Args) {
				if k >= makers {
					part(c, 0, func(*edt.Ctx, edt.Args) { ran.Add(1) }, edt.From(label, datablock.Null))
				} else if c.NewLabelledEvent(label, edt.Sticky) == nil {
					won.Add(1)
				}
			})
		}
	}
	s.close = func(c *edt.Ctx) {
		if won.Load() != 1 || int(ran.Load()) != waiters {
			s.x.problem("%d EDTs of %d created a label's event, %d of %d that waited for it ran", won.Load(), makers, ran.Load(),
				waiters)
		}
		c.DestroyEvent(label)
		c.DestroyRange(span)
	}
}
