package edt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ocr/guid"
	"ocr/internal/core/block"
)

// A StuckError is the end of a run whose graph drained while EDTs were waiting: no
// EDT was ready or running, none could become so, and no EDT had called shutdown.
type StuckError struct {
	// Waiting are the EDTs that could not start, at most 100 of them.
	Waiting []WaitingEDT
	// Count is how many there are.
	Count int
}

// A WaitingEDT is an EDT that is not ready, at the end of a run or in a snapshot.
type WaitingEDT struct {
	Who
	Site    string        // where it was created, if the run recorded that
	Missing []MissingSlot // the first 20, then an entry that says so if there may be more
}

// A MissingSlot is a slot that was not satisfied, or a block not granted.
type MissingSlot struct {
	Slot  int    // -1 if a block is not granted
	Type  string // what should come on it, if the template says that
	Lacks string
}

const (
	stuckShown = 100
	slotsShown = 20
)

// Error returns the text with short GUIDs, as [Error.Error] does.
func (e *StuckError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *StuckError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *StuckError) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "edt: stuck: %d EDT(s) wait and nothing can run\n", e.Count)
	writeWaiting(&b, e.Waiting, e.Count)
	if len(e.Waiting) > 0 && e.Waiting[0].Site == "" {
		b.WriteString("  runtime.TrackSites() adds the lines that created them")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Stuck returns what each EDT that is left waits for, nil if none is left. No worker may be running.
func (g *Graph) Stuck() *StuckError {
	if all := g.total; all != nil {
		return all.Stuck
	}
	if s := g.Snapshot(); s.Count > 0 {
		return &StuckError{s.Waiting, s.Count}
	}
	return nil
}

// A Leak is a number of objects of one kind, template and site that were never destroyed.
type Leak struct {
	Kind     guid.Kind
	Template string // of EDTs, or a template's own name; the type of events
	Site     string // where they were created, if the run recorded that
	On       string // the rank, such as "rank 2"; "" if there is only one
	Count    int
}

func (l Leak) String() string {
	s := l.Kind.String()
	if l.Count != 1 {
		s += "s"
	}
	switch {
	case l.Kind == guid.KindEvent:
		s = l.Template + " " + s
	case l.Kind == guid.KindEDT:
		s += " of template " + l.Template
	case l.Template != "":
		s += " " + l.Template
	}
	s = fmt.Sprintf("%d %s", l.Count, s)
	if l.Site != "" {
		s += " from " + l.Site
	}
	return s + onRank(l.On)
}

// Leaks lists the objects of the program that were never destroyed, without the argument
// block of main. No worker may be running.
func (g *Graph) Leaks() (all []Leak) {
	if g.total != nil {
		return g.total.Leaks
	}
	note := func(kind guid.Kind, name string, index uint32) {
		all = append(all, Leak{kind, name, g.sites.Of(kind, index), g.rankText(guid.Null), 1})
	}
	g.edts.Each(func(i uint32, t *edtRecord) {
		if t.phase.alive() {
			note(guid.KindEDT, g.template(t).name, i)
		}
	})
	inside := make(map[uint64]bool) // blocks of proxies' memory
	g.events.Each(func(i uint32, e *event) {
		if e.typ == scopeProxy && e.flags&eventMemory != 0 {
			inside[e.memory] = true
		}
		if e.typ != 0 && e.typ < scopeEvent && e.flags&eventInner == 0 {
			note(guid.KindEvent, e.typ.String(), i)
		}
	})
	g.blocks.EachLive(func(i uint32, r *block.Record) {
		if low := r.Low(i); g.blockGUID(low) != g.argBlock && !g.destroyedOverRanks(low) && !inside[low] {
			note(guid.KindBlock, "", i)
		}
	})
	for _, t := range g.local.alive(g) {
		if t.index != mainTemplate && !t.lasts {
			note(guid.KindTemplate, t.name, t.index)
		}
	}
	return sumLeaks(all)
}

// sumLeaks sorts leaks, and adds up those that differ only in the count. A count may be negative.
func sumLeaks(all []Leak) (sums []Leak) {
	slices.SortFunc(all, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Template, b.Template), cmp.Compare(a.Site, b.Site),
			cmp.Compare(a.On, b.On))
	})
	for _, l := range all {
		n := l.Count
		if l.Count = 0; len(sums) > 0 {
			same := sums[len(sums)-1]
			if same.Count = 0; same == l {
				sums[len(sums)-1].Count += n
				continue
			}
		}
		l.Count = n
		sums = append(sums, l)
	}
	return slices.DeleteFunc(sums, func(l Leak) bool { return l.Count == 0 })
}

// A Snapshot describes what the EDTs of a graph do, and what they wait for. With several ranks it has only the EDTs of
// this rank.
type Snapshot struct {
	// Waiting are EDTs that cannot run yet, at most 100; Count is how many there are.
	Waiting []WaitingEDT
	Count   int
	// Acquiring is how many of Count wait for blocks, as their slots are satisfied. Ready is how many EDTs can run.
	Acquiring, Ready int
	// Outside are events that goroutines outside the run may still satisfy, a line for each.
	Outside []string
}

// Snapshot takes a [Snapshot]. Meanwhile no worker may run an EDT, and no goroutine may call a method of [Worker] or
// [Graph.Deliver].
func (g *Graph) Snapshot() *Snapshot {
	s := &Snapshot{Outside: g.mail.open()}
	var look *waitReader
	g.edts.Each(func(i uint32, t *edtRecord) {
		if !t.phase.alive() {
			return
		}
		if look == nil {
			look = g.newWaitReader()
		}
		switch look.phase(i, t) {
		case phaseReady:
			s.Ready++
			return
		case phaseRunning:
			return
		case phaseRunnable:
			s.Acquiring++
		}
		s.Count++
		if len(s.Waiting) < stuckShown {
			s.Waiting = append(s.Waiting, look.waiting(i, t))
		}
	})
	return s
}

// String describes the snapshot in lines, with GUIDs in their short form.
func (s *Snapshot) String() string { return s.text(stuckShown) }

// Short is String with at most four of the waiting EDTs and of the events.
func (s *Snapshot) Short() string { return s.text(4) }

func (s *Snapshot) text(shown int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "EDTs: %d waiting, %d acquiring, %d ready\n", s.Count-s.Acquiring, s.Acquiring, s.Ready)
	writeWaiting(&b, s.Waiting[:min(len(s.Waiting), shown)], s.Count)
	for n, text := range s.Outside {
		if n == shown {
			fmt.Fprintf(&b, "  and %d more\n", len(s.Outside)-n)
			break
		}
		fmt.Fprintf(&b, "open from outside: %s\n", text)
	}
	return guid.Shorten(b.String())
}

// inBrackets returns a text in brackets, behind a space, or "" for no text.
func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// writeWaiting lists EDTs that wait, a line each and an indented one for each slot.
func writeWaiting(b *strings.Builder, all []WaitingEDT, count int) {
	for _, w := range all {
		b.WriteString("  " + w.Who.text())
		if w.Site != "" {
			fmt.Fprintf(b, ", created at %s", w.Site)
		}
		b.WriteByte('\n')
		for _, m := range w.Missing {
			if m.Slot < 0 {
				fmt.Fprintf(b, "    waits for %s\n", m.Lacks)
			} else {
				fmt.Fprintf(b, "    slot %d%s: %s\n", m.Slot, inBrackets(m.Type), m.Lacks)
			}
		}
	}
	if more := count - len(all); more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}
