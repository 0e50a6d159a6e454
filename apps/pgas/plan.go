package pgas

import (
	"math/bits"

	"ocr/apps/shmem"
)

// A plan is where things lie in the segments of a Config, the same on every PE:
//
//	source   the messages, in slots, and room to slide
//	dest     where messages arrive: slots of them for each origin that may come, guards between
//	back     where put-get's gets arrive
//
// Behind it, after bytes, are the PE's report and what PE 0 has decided.
//
// Message i of a PE comes from slot i mod slots of the source. Each time a message goes where one was put before, the
// source moves on by a line: what arrives differs, though nothing is written to the source in the timed part.
type plan struct {
	cfg  Config
	test Test

	slots              int // a power of two
	srcSlot, dstSlot   int // bytes from one slot to the next
	srcStride, dstStep int // strides of the elements, 1 outside of strided tests
	elements, width    int
	rotation           int // log2 of the messages before one goes to the same place
	slide              int // mask of a rotation's number that gives its slide

	source, dest, back int
	region             int // of the random tests: what a draw is from, bytes
	draws              int // of the random tests: how many different ones, a power of two
	bytes              int // of the segment
}

const (
	line   = 64
	slides = 8
	guard  = line // bytes between two messages at the destination that nothing may touch

	leastRegion = 1 << 20
	mostDraws   = 64 << 10 // small messages reach nearly every line of the region of a target
)

func newPlan(cfg Config) *plan {
	test, _ := Lookup(cfg.Test)
	p := &plan{
		cfg: cfg, test: test, slots: 1, srcStride: 1, dstStep: 1, elements: cfg.Bytes, width: 1, slide: slides - 1,
	}
	if p.flagged() {
		p.slide = 0
	}
	if test.Uses.Stride {
		p.width, p.elements = ElementBytes, cfg.Bytes/ElementBytes
		if p.isGet() {
			p.srcStride = cfg.Stride
		} else {
			p.dstStep = cfg.Stride
		}
	}
	srcSpan, dstSpan := p.span(p.srcStride), p.span(p.dstStep)
	p.srcSlot, p.dstSlot = pad(srcSpan), pad(dstSpan+guard)
	sourceBytes := p.slots*p.srcSlot + slides*line
	destBytes := guard + p.slots*p.dstSlot
	if test.Uses.Random {
		sourceBytes, destBytes = p.planRandom(srcSpan, dstSpan, sourceBytes, destBytes)
	}
	p.rotation = bits.Len(uint(p.depth())) - 1
	p.dest = p.source + pad(sourceBytes)
	p.back = p.dest + pad(destBytes)
	p.bytes = p.back
	if cfg.Test == "putget" {
		p.bytes += pad(destBytes)
	}
	return p
}

// reportAt and agreementAt are the offsets of a PE's report, and of PE 0's decision.
func (p *plan) reportAt() int { return p.bytes }

func (p *plan) agreementAt() int { return pad(p.bytes + reportBytes) }

// planRandom makes room for random places. Puts draw from a region that each target has for each origin, so that two
// origins never write the same byte; gets draw from the source, into a few slots.
func (p *plan) planRandom(srcSpan, dstSpan, sourceBytes, destBytes int) (source, dest int) {
	p.draws = slides
	for p.draws < mostDraws && p.draws*p.cfg.Bytes < 32<<20 {
		p.draws *= 2
	}
	if p.isGet() {
		p.region = max(leastRegion, pad(2*srcSpan))
		for p.slots < 64 && 2*p.slots*p.dstSlot <= leastRegion {
			p.slots *= 2
		}
		return p.region, guard + p.slots*p.dstSlot
	}
	p.region = max(leastRegion, pad(2*dstSpan))
	return sourceBytes, p.region * p.cfg.PEs
}

// flagged reports whether messages end in their number, which is their flag.
func (p *plan) flagged() bool { return len(p.test.Uses.Syncs) > 0 && p.cfg.Sync == Flag }

// isGet reports whether the test's transfers are gets.
func (p *plan) isGet() bool {
	switch p.cfg.Test {
	case "getget", "getbw", "getbibw", "stridedget", "randomget":
		return true
	}
	return false
}

func (p *plan) reduces() bool { return p.test.Kind == Reduction }

// span returns the bytes from the first to behind the last element of a message.
func (p *plan) span(stride int) int { return ((p.elements-1)*stride + 1) * p.width }

// pad rounds up to a line.
func pad(n int) int { return (n + line - 1) / line * line }

// active reports whether a PE calls, and times.
func (p *plan) active(pe int) bool { return p.test.Everyone || p.cfg.Origin(pe) }

// partner returns the PE that a PE exchanges with; -1 if there are no pairs.
func (p *plan) partner(pe int) int {
	if !p.test.Uses.Pairs {
		return -1
	}
	return p.cfg.Partner(pe)
}

// slot is message i's place in a rotation.
func (p *plan) slot(i int) int { return i & (p.slots - 1) }

// sourceAt and destAt are where message i comes from and goes to.
func (p *plan) sourceAt(i int) int {
	return p.source + p.slot(i)*p.srcSlot + i>>p.rotation&p.slide*line
}

func (p *plan) destAt(i int) int { return p.dest + guard + p.slot(i)*p.dstSlot }

func (p *plan) strides() shmem.Strides { return shmem.Strides{Dst: p.dstStep, Src: p.srcStride} }
