package pgas

import (
	"math/bits"
	"math/rand/v2"

	"ocr/apps/shmem"
)

// A plan is the layout of the segments of a Config, the same on every PE:
//
//	source   the messages, and room to slide
//	dest     where messages arrive, between guards: of random puts a region for each origin, of random gets slots
//	back     where put-get's gets arrive
//
// After these bytes PE 0 has the reports of all PEs. Message i of a PE begins i mod slides lines further on in the
// source. So what arrives differs from what was there before, although no PE writes to the source in the timed part.
type plan struct {
	Config
	test Test

	dest, back, bytes int
	slots, slotBytes  int // of the destination; slots is a power of two
	draws, region     int // of the random tests: number of draws, a power of two; bytes where an origin's draws lie
}

const (
	line   = 64
	slides = 7    // odd: so a draw that comes round again begins elsewhere in the source
	guard  = line // bytes around a message at the destination that no transfer may change

	leastRegion = 1 << 20
	mostDraws   = 64 << 10 // small messages reach nearly every line of a region
)

func newPlan(c Config) *plan {
	p := &plan{Config: c, test: Lookup(c.Test), slots: 1}
	source, dest := c.Bytes, c.Bytes // extents of a message, from the first to the last element
	switch apart := shmem.Span(c.Bytes/shmem.ElementBytes, c.Stride); {
	case p.test.Strided && p.test.Gets:
		source = apart
	case p.test.Strided:
		dest = apart
	}
	source += slides * line
	p.slotBytes, dest = pad(dest+guard), 0
	if p.test.Random {
		p.region = max(pad(2*c.Bytes), min(leastRegion, maxSegment/2/c.PEs/line*line))
		for p.draws = 8; p.draws < mostDraws && p.draws*c.Bytes < 32<<20; {
			p.draws *= 2
		}
		if p.test.Gets {
			source = p.region
			for p.slots < 64 && 2*p.slots*p.slotBytes <= leastRegion {
				p.slots *= 2
			}
		} else {
			dest = p.region * c.PEs
		}
	}
	p.dest = pad(source)
	p.back = p.dest + guard + max(dest, p.slots*p.slotBytes)
	p.bytes = p.back
	if c.Test == "putget" {
		p.bytes += p.slotBytes
	}
	return p
}

func pad(n int) int { return (n + line - 1) / line * line }

// sourceAt and destAt return the offsets of message i; in random tests a draw replaces one of the offsets.
func (p *plan) sourceAt(i int) int { return int(uint(i) % slides * line) }

func (p *plan) destAt(i int) int { return p.dest + guard + i&(p.slots-1)*p.slotBytes }

// flagged reports whether messages end in their number, which is their flag.
func (p *plan) flagged() bool { return len(p.test.Syncs) > 0 && p.Sync == Flag }

// active reports whether a PE makes calls, and times them.
func (p *plan) active(pe int) bool { return p.test.Everyone || p.isOrigin(pe) }

// depth returns after how many iterations at most a PE overwrites a message at the destination.
func (p *plan) depth() int {
	if p.test.Gets {
		return p.slots
	}
	return max(1, p.draws)
}

// A draw is the other PE of a random transfer, and the offset in its segment.
type draw struct{ pe, at int }

// drawAll draws a PE's random transfers, the same for the same seed. The test repeats them in turn. No two origins
// write the same byte.
func (p *plan) drawAll(pe int) []draw {
	if !p.test.Random {
		return nil
	}
	const unit = 8 // offsets are multiples of it
	random := rand.New(rand.NewPCG(p.Seed, uint64(pe)))
	base := 0
	if !p.test.Gets {
		base = p.dest + guard + pe*p.region
	}
	list := make([]draw, p.draws)
	for i := range list {
		target := (pe + 1 + random.IntN(max(p.PEs-1, 1))) % p.PEs
		list[i] = draw{pe: target, at: base + random.IntN((p.region-p.Bytes)/unit+1)*unit}
	}
	return list
}

// A transfer is one put or get, by one PE, between its segment and another's.
type transfer struct {
	from, src int
	to, dst   int
}

// transfer returns what PE pe moves in iteration i.
func (p *plan) transfer(pe, i int, draws []draw) transfer {
	other, src, dst := p.partner(pe), p.sourceAt(i), p.destAt(i)
	if p.test.Random {
		d := draws[i&(p.draws-1)]
		if other = d.pe; p.test.Gets {
			src = d.at
		} else {
			dst = d.at
		}
	}
	if p.test.Gets {
		return transfer{from: other, src: src, to: pe, dst: dst}
	}
	return transfer{from: pe, src: src, to: other, dst: dst}
}

// flagOf returns the flag that ends message i. It differs from all earlier ones.
func flagOf(i int) uint64 { return uint64(i) + 1 }

// body returns the bytes of a message without its flag.
func (p *plan) body() int {
	if p.flagged() {
		return p.Bytes - 8
	}
	return p.Bytes
}

// warmUps returns how many iterations come before the timed ones.
func (p *plan) warmUps() int { return max(10, p.Iterations/10) }

// renewal returns the number of reductions in place between two settings of the operand. Each reduction multiplies the
// operand by the number of PEs: if that is a power of two, more reductions would leave few bits of an int32.
func (p *plan) renewal() int { return 24 / bits.Len(uint(p.PEs)) }
