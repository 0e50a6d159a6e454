package edt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ocr/guid"
)

// A Snapshot describes what the EDTs of a graph do, and what they wait for. With several ranks it has those of its own.
type Snapshot struct {
	Templates []TemplateState // by name
	// Waiting are EDTs that cannot run yet, at most 100; Count is how many
	// there are.
	Waiting []WaitingEDT
	Count   int
	// Outside are events that goroutines outside the run may still satisfy, a line for each.
	Outside []string
}

// A TemplateState counts the EDTs of one template by what they do.
type TemplateState struct {
	Template string
	// Waiting have slots that are not satisfied, Acquiring wait for blocks, Ready
	// for a worker.
	Waiting, Acquiring, Ready, Running int
}

// Snapshot takes a [Snapshot]. Meanwhile no worker may run an EDT, or call another method of [Worker], and no other
// goroutine [Graph.Deliver].
func (g *Graph) Snapshot() *Snapshot {
	s := new(Snapshot)
	var look *waitReader
	byName := map[string]*TemplateState{}
	g.edts.Each(func(i uint32, t *edtRecord) {
		if !t.phase.alive() {
			return
		}
		if look == nil {
			look = g.newWaitReader()
		}
		name := g.template(t).name
		if byName[name] == nil {
			byName[name] = &TemplateState{Template: name}
		}
		p := look.phase(i, t)
		byName[name].count(p)
		if p == phaseWaiting || p == phaseRunnable {
			s.Count++
			if len(s.Waiting) < stuckShown {
				s.Waiting = append(s.Waiting, look.waiting(i, t))
			}
		}
	})
	s.Outside = g.mail.externals.open()
	for _, t := range byName {
		s.Templates = append(s.Templates, *t)
	}
	slices.SortFunc(s.Templates, func(a, b TemplateState) int { return cmp.Compare(a.Template, b.Template) })
	return s
}

func (t *TemplateState) count(p phase) {
	switch p {
	case phaseWaiting:
		t.Waiting++
	case phaseRunnable:
		t.Acquiring++
	case phaseReady:
		t.Ready++
	case phaseRunning:
		t.Running++
	}
}

// Short describes the snapshot in few lines: how many EDTs wait, and what the first of them wait for.
func (s *Snapshot) Short() string {
	const shown = 4
	var b strings.Builder
	var sum TemplateState
	for _, t := range s.Templates {
		sum.Waiting += t.Waiting
		sum.Acquiring += t.Acquiring
		sum.Ready += t.Ready
	}
	fmt.Fprintf(&b, "EDTs: %d waiting, %d acquiring, %d ready\n", sum.Waiting, sum.Acquiring, sum.Ready)
	writeWaiting(&b, s.Waiting[:min(len(s.Waiting), shown)], s.Count)
	s.writeOutside(&b, shown)
	return guid.Shorten(b.String())
}

// String describes the snapshot in lines, with GUIDs in their short form.
func (s *Snapshot) String() string {
	var b strings.Builder
	for _, t := range s.Templates {
		fmt.Fprintf(&b, "template %s: %d waiting, %d acquiring, %d ready, %d running\n", t.Template, t.Waiting, t.Acquiring,
			t.Ready, t.Running)
	}
	writeWaiting(&b, s.Waiting, s.Count)
	s.writeOutside(&b, len(s.Outside))
	return guid.Shorten(b.String())
}

// writeOutside lists what keeps the run on from outside.
func (s *Snapshot) writeOutside(b *strings.Builder, shown int) {
	for n, text := range s.Outside {
		if n == shown {
			fmt.Fprintf(b, "  and %d more\n", len(s.Outside)-n)
			return
		}
		fmt.Fprintf(b, "open from outside: %s\n", text)
	}
}

// writeWaiting lists EDTs that wait, a line each and an indented one for each slot.
// inBrackets is a text behind another, "" if there is none.
func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func writeWaiting(b *strings.Builder, all []WaitingEDT, count int) {
	for _, w := range all {
		b.WriteString("  " + edtText(w.EDT, w.Template, w.About) + onRank(w.On))
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
