package edt

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ocr/guid"
	"ocr/internal/dot"
)

// A endpoint is one end of a link: an EDT that waits, or what it waits for.
type endpoint struct {
	Kind endpointKind
	ID   guid.GUID
	Part string // of the object: its slot
	Text string // what is known of it; EDTs that wait have it in the snapshot
}

type endpointKind uint8

const (
	anEDT endpointKind = iota
	anEvent
	aScope
	heldBlock
	labelled
	openSlot
)

// A link says that to waits for from.
type link struct {
	From, To endpoint
	Label    string
}

// linksShown bounds the links of a snapshot: chains of events may be long.
const linksShown = 4000

func edtEndpoint(id guid.GUID) endpoint { return endpoint{Kind: anEDT, ID: id} }

func slotLabel(n int) string { return fmt.Sprintf("slot %d", n) }

func (sr *snapshotReader) link(from, to endpoint, label string) {
	if len(sr.links) < linksShown {
		sr.links = append(sr.links, link{from, to, label})
	}
}

// linkEDT links EDT i, if it is still there, to what it is to satisfy.
func (sr *snapshotReader) linkEDT(i uint32, to endpoint, label string) {
	if t, ok := sr.edt(i); ok {
		p := edtEndpoint(sr.g.edtGUID(i, &t))
		p.Text = sr.g.nameOf(&t) + "\n" + t.phase.String()
		sr.link(p, to, label)
	}
}

// eventEndpoint describes an event or a scope as the end of a link.
func (sr *snapshotReader) eventEndpoint(lo uint64) endpoint {
	p := endpoint{anEvent, guid.FromWords(sr.g.highEvent, lo), "", "destroyed before\nit triggered"}
	e, ok := sr.event(uint32(lo))
	if !ok || !e.Is(lo) {
		return p
	}
	p.Text = (e.typ & typeMask).String()
	switch e.typ & typeMask {
	case Latch:
		p.Text += fmt.Sprintf(", count %d", e.count)
	case scopeEvent:
		p.Kind = aScope
		if c := sr.members[uint32(lo)]; c != nil {
			p.Text += fmt.Sprintf("\n%d EDTs", c.count)
		}
	}
	return p
}

// trace links an event to what is to satisfy it, and that to what is to satisfy it in turn.
func (sr *snapshotReader) trace(lo uint64) {
	for todo := []uint64{lo}; len(todo) > 0 && len(sr.links) < linksShown; {
		lo, todo = todo[0], todo[1:]
		if sr.traced[lo] {
			continue
		}
		sr.traced[lo] = true
		to := sr.eventEndpoint(lo)
		if i, ok := sr.outputs[lo]; ok {
			sr.linkEDT(i, to, "output")
		}
		if c := sr.members[uint32(lo)]; c != nil && to.Kind == aScope {
			for _, i := range c.first {
				sr.linkEDT(i, to, "in it")
			}
		}
		for _, from := range sr.feeders[lo] {
			sr.link(sr.eventEndpoint(from), to, "")
		}
		todo = append(todo, sr.feeders[lo]...)
	}
}

// DOT writes the snapshot in Graphviz's language: the workers with what they run, the
// EDTs that wait, and from what they wait for an arrow to each. The same snapshot
// always gives the same text.
func (s *Snapshot) DOT(w io.Writer) error {
	d := &drawing{out: bufio.NewWriter(w), names: make(map[endpoint]string)}
	d.line("digraph snapshot {")
	d.line("\tlabel=%s; labelloc=t; rankdir=LR; fontname=\"sans-serif\";", dot.Quote(s.title()))
	d.line("\tnode [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\", fontsize=10];")
	d.line("\tedge [fontname=\"sans-serif\", fontsize=8, arrowsize=0.6];")
	d.workers(s.Workers)
	for k := range s.Waiting {
		d.waiting(&s.Waiting[k])
	}
	for k := range s.links {
		d.link(&s.links[k])
	}
	d.line("}")
	return d.out.Flush()
}

// title counts all EDTs, by template.
func (s *Snapshot) title() string {
	var b strings.Builder
	for _, t := range s.Templates {
		fmt.Fprintf(&b, "%s: %d waiting, %d acquiring, %d ready, %d running\n", t.Template, t.Waiting, t.Acquiring, t.Ready, t.Running)
	}
	if shown := len(s.Waiting); shown < s.Count {
		fmt.Fprintf(&b, "%d of the %d that wait or acquire are drawn\n", shown, s.Count)
	}
	return b.String()
}

// A drawing is a snapshot that is being written. names has the objects that were.
type drawing struct {
	out   *bufio.Writer
	names map[endpoint]string
}

func (d *drawing) line(format string, args ...any) {
	fmt.Fprintf(d.out, format, args...) // errors stay in out until Flush
	d.out.WriteByte('\n')
}

// add draws an object that was not drawn yet, and returns its name.
func (d *drawing) add(p endpoint, label, attributes string) string {
	key := endpoint{Kind: p.Kind, ID: p.ID, Part: p.Part}
	name, ok := d.names[key]
	if !ok {
		name = fmt.Sprintf("n%d", len(d.names))
		d.names[key] = name
		d.line("\t%s [label=%s, tooltip=%s%s];", name, dot.Quote(label), dot.Quote(p.ID.String()), attributes)
	}
	return name
}

// workers draws a row of workers, and the EDTs that they run beside them.
func (d *drawing) workers(all []WorkerState) {
	for k := range all {
		w := &all[k]
		does := "no EDT"
		if !w.EDT.IsNull() {
			does = fmt.Sprintf("runs its EDT number %d", w.Ran)
		}
		if w.For > 0 {
			does += fmt.Sprintf("\nfor at least %v", w.For.Round(1e6))
		}
		d.line("\tw%d [label=%s, shape=component, fillcolor=\"#cfe8ff\"];", w.Worker, dot.Quote(fmt.Sprintf("worker %d\n%s", w.Worker, does)))
		if !w.EDT.IsNull() {
			p := edtEndpoint(w.EDT)
			name := d.add(p, w.Template+"\n"+w.EDT.Short()+"\nruns", `, fillcolor="#d5f2cd"`)
			d.line("\tw%d -> %s [label=\"runs\", style=dashed];", w.Worker, name)
		}
	}
}

func (d *drawing) waiting(w *WaitingEDT) {
	label := w.Template + "\n" + w.EDT.Short()
	if w.Site != "" {
		label += "\n" + w.Site
	}
	d.add(edtEndpoint(w.EDT), label, `, fillcolor="#ffe2b8"`)
}

func (d *drawing) link(k *link) {
	d.line("\t%s -> %s [label=%s];", d.end(k.From), d.end(k.To), dot.Quote(k.Label))
}

// end draws an end of a link.
func (d *drawing) end(p endpoint) string {
	text := p.Text + "\n" + p.ID.Short()
	switch p.Kind {
	case anEvent:
		return d.add(p, text, ", shape=ellipse")
	case aScope:
		return d.add(p, text, ", shape=hexagon")
	case heldBlock:
		return d.add(p, text, ", shape=cylinder")
	case labelled:
		return d.add(p, "label "+text, ", shape=note")
	case openSlot:
		return d.add(p, p.Text, ", shape=plaintext, style=\"\"")
	}
	return d.add(p, text, "")
}
