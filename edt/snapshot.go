package edt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/guid"
)

// A Snapshot describes a graph during its run: which EDTs run, and what the others wait for.
// The workers do not stop for it, so it is not exact: an EDT that changes its state meanwhile
// may be missing or have an earlier state. EDTs that do not change, as in a stuck graph, are
// exact. Each of several ranks takes its part by itself, at about the same time.
type Snapshot struct {
	Workers   []WorkerState
	Templates []TemplateState // by name
	// Waiting are EDTs that cannot run yet, at most 100; Count is how many
	// there are.
	Waiting []WaitingEDT
	Count   int
	// Outside are events that goroutines outside the run may still satisfy, a line for each.
	Outside []string
	// Silent are ranks that did not answer, a line for each.
	Silent []string
}

// A WorkerState is what a worker does.
type WorkerState struct {
	Worker   int
	EDT      guid.GUID // the one that runs, Null for none
	Template string
	About    string // the EDT's description, see [Template.Describe]
	Ran      uint64 // EDTs that the worker has begun so far
	// For is how long it has run this EDT at least, 0 if that is not known:
	// it takes several snapshots.
	For time.Duration
}

// write describes the state in a line.
func (w *WorkerState) write(b *strings.Builder) {
	fmt.Fprintf(b, "worker %d: ", w.Worker)
	if w.EDT.IsNull() {
		fmt.Fprintf(b, "no EDT, %d so far\n", w.Ran)
		return
	}
	fmt.Fprintf(b, "runs %s, number %d", edtText(w.EDT, w.Template, w.About), w.Ran)
	if w.For > 0 {
		fmt.Fprintf(b, ", for at least %v", w.For.Round(time.Millisecond))
	}
	b.WriteByte('\n')
}

// Same reports whether the worker runs the same EDT as in an earlier state.
func (w *WorkerState) Same(earlier *WorkerState) bool {
	return !w.EDT.IsNull() && w.EDT == earlier.EDT && w.Ran == earlier.Ran
}

// A TemplateState counts the EDTs of one template by what they do.
type TemplateState struct {
	Template string
	// Waiting have slots that are not satisfied, Acquiring wait for blocks, Ready
	// for a worker.
	Waiting, Acquiring, Ready, Running int
}

// Snapshot takes a [Snapshot] of a running graph. Any goroutine may call it until
// [Graph.Close] is called.
func (g *Graph) Snapshot() *Snapshot {
	s := &Snapshot{Workers: g.WorkerStates()}
	look := g.newSnapshotReader()
	byName := map[string]*TemplateState{}
	g.edts.Peek(func(i uint32) {
		t, ok := look.edt(i)
		if !ok {
			return
		}
		name := g.nameOf(&t)
		if name == gone {
			return
		}
		if byName[name] == nil {
			byName[name] = &TemplateState{Template: name}
		}
		byName[name].count(t.phase)
		if t.phase == phaseWaiting || t.phase == phaseRunnable {
			s.Count++
			if len(s.Waiting) < stuckShown {
				s.Waiting = append(s.Waiting, look.waiting(i, &t))
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

// WorkerStates returns the states of the workers alone. Like [Graph.Snapshot], any goroutine may call it.
func (g *Graph) WorkerStates() []WorkerState {
	all := make([]WorkerState, len(g.ctxs))
	for k := range g.ctxs {
		all[k] = g.peekWorker(k)
	}
	return all
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

// AnyWaits reports whether there are EDTs that do not run, because they wait for
// something or for a worker.
func (s *Snapshot) AnyWaits() bool {
	return slices.ContainsFunc(s.Templates, func(t TemplateState) bool { return t.Waiting+t.Acquiring+t.Ready > 0 })
}

// Short describes the snapshot in few lines: what runs, how many EDTs wait, and what
// the first of them wait for.
func (s *Snapshot) Short() string {
	const shown = 4
	var b strings.Builder
	n := 0
	for _, w := range s.Workers {
		if w.EDT.IsNull() {
			continue
		}
		if n++; n <= shown {
			w.write(&b)
		}
	}
	if n > shown {
		fmt.Fprintf(&b, "and %d more workers run an EDT\n", n-shown)
	}
	var sum TemplateState
	for _, t := range s.Templates {
		sum.Waiting += t.Waiting
		sum.Acquiring += t.Acquiring
		sum.Ready += t.Ready
	}
	fmt.Fprintf(&b, "EDTs: %d waiting, %d acquiring, %d ready\n", sum.Waiting, sum.Acquiring, sum.Ready)
	writeWaiting(&b, s.Waiting[:min(len(s.Waiting), shown)], s.Count)
	s.writeOutside(&b, shown)
	s.writeSilent(&b)
	return guid.Shorten(b.String())
}

// String describes the snapshot in lines, with GUIDs in their short form.
func (s *Snapshot) String() string {
	var b strings.Builder
	for _, w := range s.Workers {
		w.write(&b)
	}
	for _, t := range s.Templates {
		fmt.Fprintf(&b, "template %s: %d waiting, %d acquiring, %d ready, %d running\n", t.Template, t.Waiting, t.Acquiring,
			t.Ready, t.Running)
	}
	writeWaiting(&b, s.Waiting, s.Count)
	s.writeOutside(&b, len(s.Outside))
	s.writeSilent(&b)
	return guid.Shorten(b.String())
}

func (s *Snapshot) writeSilent(b *strings.Builder) {
	for _, text := range s.Silent {
		b.WriteString(text + "\n")
	}
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
