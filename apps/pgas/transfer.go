package pgas

import "math/rand/v2"

// A transfer is one put or get of the plan's elements: from a PE's segment to another's.
type transfer struct {
	from, src int
	to, dst   int
	flag      uint64 // what the message's last word is, if it is a flag
}

// A draw is where a random transfer goes to or comes from.
type draw struct{ pe, at int }

// drawAll draws a PE's random transfers, the same for the same seed. The test goes round them.
func (p *plan) drawAll(pe int) []draw {
	if !p.test.Uses.Random {
		return nil
	}
	const unit = 8 // of offsets: any element is aligned there
	random := rand.New(rand.NewPCG(p.cfg.Seed, uint64(pe)))
	base, room := p.source, p.region-p.span(p.srcStride)
	if !p.isGet() {
		base, room = p.dest+pe*p.region, p.region-p.span(p.dstStep)
	}
	list := make([]draw, p.draws)
	for i := range list {
		target := (pe + 1 + random.IntN(max(p.cfg.PEs-1, 1))) % p.cfg.PEs
		list[i] = draw{pe: target, at: base + random.IntN(room/unit+1)*unit}
	}
	return list
}

// transfers returns what PE pe moves in iteration i: one transfer, and in put-get a second.
func (p *plan) transfers(pe, i int, draws []draw) []transfer {
	partner := p.partner(pe)
	t := transfer{from: pe, src: p.sourceAt(i), to: partner, dst: p.destAt(i)}
	switch {
	case p.test.Uses.Random && p.isGet():
		d := draws[i&(p.draws-1)]
		t = transfer{from: d.pe, src: d.at, to: pe, dst: p.destAt(i)}
	case p.test.Uses.Random:
		d := draws[i&(p.draws-1)]
		t.to, t.dst = d.pe, d.at
	case p.isGet():
		t = transfer{from: partner, src: p.sourceAt(i), to: pe, dst: p.destAt(i)}
	case p.cfg.Test == "putget":
		back := transfer{from: pe, src: t.src, to: pe, dst: p.backAt(i)}
		return []transfer{t, back}
	}
	if p.flagged() {
		t.flag = flagOf(i)
	}
	return []transfer{t}
}

// flagOf returns the flag that ends message i. It differs from all earlier ones.
func flagOf(i int) uint64 { return uint64(i) + 1 }

// backAt is where put-get gets message i back to.
func (p *plan) backAt(i int) int { return p.back + p.destAt(i) - p.dest }

// depth returns how many of a PE's last iterations have left their messages at the destination.
func (p *plan) depth() int {
	if p.isGet() {
		return p.slots
	}
	return max(p.slots, p.draws)
}
