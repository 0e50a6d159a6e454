package graphtest

import "ocr/edt"

// event picks or makes an event for which node i may wait.
func (g *generator) event(i int) int {
	if len(g.Events) > 0 && g.chance(50) {
		for range 8 {
			if e := g.rng.IntN(len(g.Events)); g.mayDepend(e, i) {
				return e
			}
		}
	}
	return g.newEvent(i)
}

// mayDepend reports whether node i may wait for event e. If so, and e is a channel, e is satisfied once more.
func (g *generator) mayDepend(e, i int) bool {
	ev := &g.Events[e]
	parent := g.Nodes[i].Parent
	if ev.After > i || !g.within(ev.Owner, parent) || ev.early() && ev.Owner != parent {
		return false
	}
	if ev.Type == edt.Channel {
		g.generation(e)
	}
	return true
}

// generation makes a node satisfy a channel once more. It takes the node that satisfies the channel already, if there
// is one: so all nodes that wait for the channel have higher numbers.
func (g *generator) generation(e int) {
	s := g.Events[e].Owner
	if callers := g.Events[e].Callers; len(callers) > 0 {
		s = callers[0]
	}
	g.call(e, s, edt.Decr)
}

// newEvent makes an event for which node i may wait, and makes nodes satisfy it.
func (g *generator) newEvent(i int) int {
	parent := g.Nodes[i].Parent
	o := g.above(parent)
	types := []edt.EventType{edt.Idempotent, edt.Sticky, edt.Counted, edt.Channel, edt.Once, edt.Latch}
	if o != parent {
		types = types[:4]
	}
	id := len(g.Events)
	e := Event{Type: types[g.rng.IntN(len(types))], Owner: o, Output: none, DestroyedBy: none}
	if e.Type == edt.Channel && g.Without&Channels != 0 {
		e.Type = edt.Sticky
	}
	g.Events = append(g.Events, e)
	switch e.Type {
	case edt.Latch:
		for range 1 + g.rng.IntN(3) {
			g.leg(id, i)
		}
		ev := &g.Events[id]
		ev.Incrs = g.rng.IntN(ev.Decrs + 1)
	case edt.Idempotent:
		g.Events[id].Payload = g.given(o)
		for range 1 + g.rng.IntN(2) {
			g.call(id, g.satisfier(id, i), edt.Decr)
		}
	case edt.Channel:
		g.channel(id, i)
	default:
		g.leg(id, i)
	}
	if g.Events[id].Own {
		return id
	}
	g.Nodes[o].Events = append(g.Nodes[o].Events, id)
	return id
}

// channel makes another event or a node satisfy a channel event for the first time. The payload is the same each time,
// but each call makes a private block of its own.
func (g *generator) channel(e, i int) {
	g.Events[e].Unbounded = g.chance(40)
	if g.chance(30) && g.link(e, i) {
		return
	}
	s := g.satisfier(e, i)
	g.Events[e].Payload = g.payload(e, s)
	g.call(e, s, edt.Decr)
}

// leg makes something satisfy event e: another event, a node's output, or a call.
func (g *generator) leg(e, i int) {
	ev := &g.Events[e]
	ev.Decrs++
	if g.may(Links, 25) && g.link(e, i) {
		return
	}
	if ev.Type == edt.Latch && g.may(Links, 30) && g.linkUp(e, i) {
		return
	}
	s := g.satisfier(e, i)
	if s > ev.Owner && g.chance(50) && ev.Output == none && g.output(e, s, i) {
		return
	}
	if ev.Type != edt.Latch {
		ev.Payload = g.payload(e, s)
	} else if g.chance(25) {
		g.call(e, s, edt.Incr)
		g.call(e, s, edt.Decr)
	}
	g.call(e, s, edt.Decr)
}

// satisfier picks a node with a lower number than i that may satisfy event e.
func (g *generator) satisfier(e, i int) int {
	o := g.Events[e].Owner
	return o + g.rng.IntN(i-o)
}

// gate makes node s, or its ancestor that is a child of node o, wait until node o has added the dependences.
func (g *generator) gate(o, s int) {
	if s == o {
		return
	}
	for g.Nodes[s].Parent != o {
		s = g.Nodes[s].Parent
	}
	g.Nodes[s].Gated = true
}

func (g *generator) after(e, s int) {
	ev := &g.Events[e]
	ev.After = max(ev.After, s)
}

func (g *generator) call(e, s, slot int) {
	ev := &g.Events[e]
	if ev.early() {
		g.gate(ev.Owner, s)
	}
	g.after(e, s+1)
	ev.Callers = append(ev.Callers, s)
	c := Call{Event: e, Slot: slot, Depend: g.chance(30), Block: none}
	if ev.Type == edt.Latch && g.may(Data, 10) {
		c.Block = g.block(ev.Owner) // which the latch ignores
	}
	g.Nodes[s].Calls = append(g.Nodes[s].Calls, c)
}

// known reports whether the event's owner knows its payload beforehand. Only such a payload may pass through a channel
// that is satisfied with other payloads too.
func (g *generator) known(e *Event) bool {
	switch e.Payload.Kind {
	case private:
		return false
	case shared:
		return g.within(g.Blocks[e.Payload.Block].Owner, e.Owner)
	}
	return true
}

// link makes another event of the same owner satisfy event e.
func (g *generator) link(e, i int) bool {
	ev := &g.Events[e]
	for range 6 {
		a := g.rng.IntN(len(g.Events))
		from := &g.Events[a]
		pipes := ev.Type == edt.Channel || from.Type == edt.Channel
		if a == e || from.Owner != ev.Owner || from.After > i || pipes && !g.known(from) {
			continue
		}
		if from.Type == edt.Channel {
			g.generation(a)
		}
		g.after(e, from.After)
		ev.Fed = true
		if ev.Type != edt.Latch {
			ev.Payload = from.Payload
		}
		g.Nodes[ev.Owner].Links = append(g.Nodes[ev.Owner].Links, Link{From: a, To: e, Slot: edt.Decr})
		return true
	}
	return false
}

// linkUp makes another event count latch e up. The only node that satisfies this event then counts the latch down
// twice: for the count up, and for the leg.
func (g *generator) linkUp(e, i int) bool {
	ev := &g.Events[e]
	for range 6 {
		a := g.rng.IntN(len(g.Events))
		from := &g.Events[a]
		if from.Owner != ev.Owner || from.After > i || from.Type == edt.Latch || from.Type == edt.Channel ||
			len(from.Callers) != 1 || from.Fed || from.Output != none {
			continue
		}
		g.Nodes[ev.Owner].Links = append(g.Nodes[ev.Owner].Links, Link{From: a, To: e, Slot: edt.Incr})
		g.call(e, from.Callers[0], edt.Decr)
		g.call(e, from.Callers[0], edt.Decr)
		return true
	}
	return false
}

// output makes event e the output event of node s, if that is possible.
func (g *generator) output(e, s, i int) bool {
	ev, n := &g.Events[e], &g.Nodes[s]
	if n.Out != none || n.Finish && n.End > i || g.Without&Outputs != 0 {
		return false
	}
	n.Out, ev.Output = e, s
	g.after(e, s+1)
	if ev.Type == edt.Once && n.Parent == ev.Owner && g.chance(50) {
		ev.Own = true
		if n.Finish {
			ev.Type = edt.Latch
		}
	}
	if ev.early() {
		g.gate(ev.Owner, s)
	}
	if n.Finish {
		g.after(e, n.End)
		return true
	}
	if ev.Type == edt.Latch {
		return true
	}
	if g.chance(30) && g.returned(e, s, i) {
		return true
	}
	ev.Payload = g.payload(e, s)
	return true
}

// returned makes node s return an event, to which its output event e is then connected.
func (g *generator) returned(e, s, i int) bool {
	for range 6 {
		a := g.rng.IntN(len(g.Events))
		r := &g.Events[a]
		if a == e || !r.persistent() || r.Type == edt.Channel || r.After > i || !g.within(r.Owner, s) {
			continue
		}
		r.Returned = true
		g.Nodes[s].Returns = a
		g.after(e, r.After)
		g.Events[e].Payload = r.Payload
		return true
	}
	return false
}

// payload picks the payload with which node s satisfies event e.
func (g *generator) payload(e, s int) Payload {
	if g.may(Data, 50) {
		return Payload{Kind: private, Event: e, Maker: s}
	}
	return g.given(g.Events[e].Owner)
}

// given picks either no payload, or a block that all nodes of node o's subtree know.
func (g *generator) given(o int) Payload {
	if g.chance(50) || g.Without&Data != 0 {
		return Payload{}
	}
	return Payload{Kind: shared, Block: g.block(g.above(o))}
}
