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

func createEDTs(slots int) func(c *edt.Ctx, l *lane) {
	t := bare[slots]
	return func(c *edt.Ctx, l *lane) {
		for k := range l.objects {
			l.objects[k] = c.NewEDT(t, nil)
		}
	}
}

func createStickies(c *edt.Ctx, l *lane) {
	for k := range l.objects {
		l.objects[k] = c.NewEvent(edt.Sticky)
	}
}

func destroyEDTs(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.DestroyEDT(e)
	}
}

func destroyEvents(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.DestroyEvent(e)
	}
}
