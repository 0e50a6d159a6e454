package overhead

import (
	"fmt"

	"ocr/edt"
	"ocr/guid"
)

// slotCounts are the numbers of slots that EDTs are created with.
var slotCounts = []int{0, 1, 2, 4, 16}

// bare are templates of EDTs that do nothing, by their number of slots.
var bare = func() map[int]*edt.Template {
	m := make(map[int]*edt.Template)
	for _, n := range slotCounts {
		m[n] = edt.NewTemplate(fmt.Sprintf("overhead.slots-%d", n), 0, n, nothing)
	}
	return m
}()

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

func destroyEvents(c *edt.Ctx, l *lane) {
	for _, e := range l.events {
		c.DestroyEvent(e)
	}
}

func destroyEDTs(c *edt.Ctx, l *lane) {
	for _, e := range l.edts {
		c.DestroyEDT(e)
	}
}

func createEDTs(slots int) func(c *edt.Ctx, l *lane) {
	t := bare[slots]
	return func(c *edt.Ctx, l *lane) {
		for k := range l.edts {
			l.edts[k] = c.NewEDT(t, nil)
		}
	}
}

func createEvents(t edt.EventType) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		for k := range l.events {
			l.events[k] = c.NewEvent(t)
		}
	}
}

// both does one thing after the other.
func both(first, second func(c *edt.Ctx, l *lane)) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		first(c, l)
		second(c, l)
	}
}
