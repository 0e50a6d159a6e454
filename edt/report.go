package edt

import (
	"fmt"
	"sort"
	"strings"

	"ocr/guid"
	"ocr/internal/block"
)

// A StuckError is the end of a run whose graph drained while EDTs were waiting: no
// EDT was ready or running, none could become so, and nobody had called shutdown.
type StuckError struct {
	// Waiting are the EDTs that could not start, at most 100 of them.
	Waiting []WaitingEDT
	// Count is how many there are.
	Count int
	// Kept are calls on labels under which no object was created.
	Kept []Leak
}

// A WaitingEDT is an EDT that never became ready.
type WaitingEDT struct {
	EDT      guid.GUID
	Template string
	Site     string        // where it was created, if the run recorded that
	Missing  []MissingSlot // the first 20, and a word about the rest
}

// A MissingSlot is a slot that was not satisfied, or a block not granted.
type MissingSlot struct {
	Slot  int
	Lacks string
}

const (
	stuckShown = 100
	slotsShown = 20
)

func (e *StuckError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "edt: stuck: %d EDT(s) wait and nothing can run", e.Count)
	b.WriteByte('\n')
	writeWaiting(&b, e.Waiting, e.Count)
	for k, l := range e.Kept {
		if k == stuckShown {
			b.WriteString("  ...\n")
			break
		}
		fmt.Fprintf(&b, "  %v\n", l)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Stuck returns who waits for what, nil where no EDT is waiting. No worker may be
// running.
func (g *Graph) Stuck() *StuckError {
	var e StuckError
	blocked, labelled := g.blockWaiters(), g.labels.awaited()
	g.edts.Each(func(i uint32, t *edtRecord) {
		if t.phase == phaseFree || t.phase == phaseZombie {
			return
		}
		e.Count++
		if len(e.Waiting) == stuckShown {
			return
		}
		w := WaitingEDT{
			EDT:      guid.FromWords(g.highEDT, t.Low(i)),
			Template: g.template(t).name,
			Site:     g.sites.of(guid.KindEDT, i),
			Missing:  g.missing(i, t, labelled),
		}
		if block, ok := blocked[i]; ok {
			w.Missing = append(w.Missing, MissingSlot{block.slot, block.lacks})
		}
		e.Waiting = append(e.Waiting, w)
	})
	if e.Count == 0 {
		return nil
	}
	kept := make(map[Leak]int)
	g.labels.lost(kept)
	e.Kept = sortLeaks(kept)
	return &e
}

// missing lists the slots of a task that were not satisfied, the first slotsShown.
func (g *Graph) missing(i uint32, t *edtRecord, labelled map[slotOf]guid.GUID) (m []MissingSlot) {
	id := guid.FromWords(g.highEDT, t.Low(i))
	for n, s := range g.slotsOf(t) {
		if len(m) == slotsShown {
			return append(m, MissingSlot{n, "and perhaps more from here on"})
		}
		switch s.state() {
		case slotOpen:
			lacks := "not connected"
			if l, ok := labelled[slotOf{id, n}]; ok {
				lacks = fmt.Sprintf("label %v, no object created", l)
			}
			m = append(m, MissingSlot{n, lacks})
		case slotWaiting, slotLost:
			m = append(m, MissingSlot{n, g.describeSource(s.word)})
		}
	}
	return m
}

// describeSource says what became of the event that a slot waits for.
func (g *Graph) describeSource(lo uint64) string {
	i := uint32(lo)
	e := g.events.Find(i)
	if e == nil || !e.Is(lo) {
		return g.describeGone(lo)
	}
	return g.describeEvent(i, e)
}

func (g *Graph) describeGone(lo uint64) string {
	return fmt.Sprintf("event %v, destroyed before it triggered", guid.FromWords(g.highEvent, lo))
}

func (g *Graph) describeEvent(i uint32, e *event) string {
	id := guid.FromWords(g.highEvent, e.Low(i))
	what := fmt.Sprintf("%v event %v, never satisfied", e.typ, id)
	switch e.typ & typeMask {
	case Latch:
		what = fmt.Sprintf("%v event %v, count %d", e.typ, id, e.count)
	case Channel:
		what = fmt.Sprintf("%v event %v, no satisfaction for this dependence", e.typ, id)
	}
	if at := g.sites.of(guid.KindEvent, i); at != "" {
		what += ", created at " + at
	}
	return what
}

type blockWait struct {
	slot  int
	lacks string
}

// blockWaiters lists the EDTs that wait for blocks: only an error in a host leaves
// any behind.
func (g *Graph) blockWaiters() map[uint32]blockWait {
	m := make(map[uint32]blockWait)
	g.blocks.Waiting(func(block uint32, w block.Waiter) {
		r := g.blocks.At(block)
		m[w.EDT] = blockWait{-1, fmt.Sprintf("data block %v, not granted in mode %v", g.blockGUID(r.Low(block)), w.Mode)}
	})
	return m
}

// A Leak is objects that were never destroyed, of one kind, template and site.
type Leak struct {
	Kind     guid.Kind
	Template string // of EDTs; the type of events; that a label's object was never created
	Site     string // where they were created, if the run recorded that, or the label was used
	Count    int
}

func (l Leak) String() string {
	s := fmt.Sprintf("%d %v", l.Count, l.Kind)
	if l.Template != "" {
		s += " " + l.Template
	}
	if l.Site != "" {
		s += " from " + l.Site
	}
	return s
}

// Leaks lists the objects that were never destroyed: what the program made, not
// the argument block of main; and the objects that calls wait for and that were never
// created under their labels. No worker may be running.
func (g *Graph) Leaks() []Leak {
	count := make(map[Leak]int)
	g.edts.Each(func(i uint32, t *edtRecord) {
		if t.phase != phaseFree && t.phase != phaseZombie {
			count[Leak{Kind: guid.KindEDT, Template: g.template(t).name, Site: g.sites.of(guid.KindEDT, i)}]++
		}
	})
	g.events.Each(func(i uint32, e *event) {
		if e.typ != 0 && e.typ != scopeEvent && e.flags&eventProxy == 0 {
			count[Leak{Kind: guid.KindEvent, Template: (e.typ & typeMask).String(), Site: g.sites.of(guid.KindEvent, i)}]++
		}
	})
	g.blocks.EachLive(func(i uint32, r *block.Record) {
		if g.blockGUID(r.Low(i)) != g.argBlock {
			count[Leak{Kind: guid.KindBlock, Site: g.sites.of(guid.KindBlock, i)}]++
		}
	})
	for _, t := range g.local.alive() {
		if t.index != mainTemplate {
			count[Leak{Kind: guid.KindTemplate, Template: t.name, Site: g.sites.of(guid.KindTemplate, t.index)}]++
		}
	}
	if n := g.labels.ranges.count(); n > 0 {
		count[Leak{Kind: guid.KindRange}] = n
	}
	g.labels.lost(count)
	return sortLeaks(count)
}

func sortLeaks(count map[Leak]int) []Leak {
	var all []Leak
	for l, n := range count {
		l.Count = n
		all = append(all, l)
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.Kind != b.Kind {
			return a.Kind < b.Kind
		}
		if a.Template != b.Template {
			return a.Template < b.Template
		}
		return a.Site < b.Site
	})
	return all
}
