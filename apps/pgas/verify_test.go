package pgas

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// begun makes the segments of a run's start, and the total for each PE.
func begun(p *plan, total int) (segments [][]byte, totals []int) {
	for pe := range p.cfg.PEs {
		segment := make([]byte, p.bytes)
		p.prepare(segment, pe)
		segments, totals = append(segments, segment), append(totals, total)
	}
	return segments, totals
}

// replay makes the segments that total iterations leave behind, moving element by element.
func replay(p *plan, total int) (segments [][]byte, totals []int) {
	segments, totals = begun(p, total)
	for pe := range segments {
		if !p.active(pe) {
			continue
		}
		draws := p.drawAll(pe)
		for i := range total {
			for _, t := range p.transfers(pe, i, draws) {
				moveNaively(p, segments[t.from][t.src:], segments[t.to][t.dst:], t.flag)
			}
		}
	}
	return segments, totals
}

func moveNaively(p *plan, from, to []byte, flag uint64) {
	for k := range p.elements {
		copy(to[k*p.dstStep*p.width:][:p.width], from[k*p.srcStride*p.width:])
	}
	if flag != 0 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], flag)
		width := min(p.cfg.Bytes, 8)
		copy(to[p.cfg.Bytes-width:p.cfg.Bytes], word[:])
	}
}

// Verification accepts what a plain replay of the transfers leaves, and nothing that differs from
// it: one transfer fewer, a byte in a gap, a message of another PE.
func TestVerify(t *testing.T) {
	const total = 19
	eachConfig(4, func(cfg Config) {
		if cfg.Form == EDT || newPlan(cfg).reduces() || cfg.Bytes > 1000 {
			return
		}
		p := newPlan(cfg)
		segments, totals := replay(p, total)
		if checked, err := p.verify(segments, totals); err != nil || checked != 4*(p.bytes-p.dest) {
			t.Errorf("%s: %d bytes, %v", name(cfg), checked, err)
			return
		}
		wrong := func(what string, err error) {
			var e *trial.VerifyError
			if !errors.As(err, &e) {
				t.Errorf("%s: %s: error %v", name(cfg), what, err)
			}
		}
		_, err := p.verify(segments, []int{total + 1, total + 1, total + 1, total + 1})
		wrong("the last transfer is missing", err)
		for _, at := range []int{p.dest, p.bytes - 1} {
			segments[2][at] ^= 1
			_, err = p.verify(segments, totals)
			wrong("a guard was written", err)
			segments[2][at] ^= 1
		}
		segments[0], segments[1] = segments[1], segments[0]
		if bytes.Equal(segments[0][p.dest:], segments[1][p.dest:]) {
			return
		}
		_, err = p.verify(segments, totals)
		wrong("two PEs have each other's messages", err)
	})
}

// Reductions are verified by a closed form; the sums are added up here.
func TestVerifyReductions(t *testing.T) {
	for _, test := range []string{"reduce", "reduceinplace"} {
		for _, total := range []int{1, 2, 9, 40} {
			cfg := Defaults(test)
			cfg.PEs, cfg.Bytes = 3, 400
			p := newPlan(cfg)
			segments, totals := replayReductions(p, total)
			if _, err := p.verify(segments, totals); err != nil {
				t.Errorf("%s after %d: %v", test, total, err)
			}
			_, err := p.verify(segments, []int{total + 1, total + 1, total + 1})
			var e *trial.VerifyError
			if !errors.As(err, &e) {
				t.Errorf("%s after %d: the last reduction is missing: error %v", test, total, err)
			}
		}
	}
}

func replayReductions(p *plan, total int) (segments [][]byte, totals []int) {
	segments, totals = begun(p, total)
	target := p.destAt(0)
	for i := range total {
		if p.cfg.Test == "reduceinplace" && i%p.renewal() == 0 {
			for _, s := range segments {
				copy(s[target:][:p.cfg.Bytes], s[p.sourceAt(i/p.renewal()):])
			}
		}
		source := target
		if p.cfg.Test == "reduce" {
			source = p.sourceAt(i)
		}
		for j := 0; j < p.cfg.Bytes; j += 4 {
			sum := uint32(0)
			for _, s := range segments {
				sum += binary.LittleEndian.Uint32(s[source+j:])
			}
			for _, s := range segments {
				binary.LittleEndian.PutUint32(s[target+j:], sum)
			}
		}
	}
	return segments, totals
}

// What is sent differs from one iteration to the next, and from PE to PE.
func TestMessagesDiffer(t *testing.T) {
	p := newPlan(Defaults("putbw"))
	seen := map[string]bool{}
	for pe := range 2 {
		segment := make([]byte, p.bytes)
		p.prepare(segment, pe)
		for i := range slides {
			seen[string(segment[p.sourceAt(i):][:4])] = true
		}
	}
	testrun.Equal(t, 2*slides, len(seen), "different messages")
}

// Random draws stay in bounds, reach all PEs but the own, and depend on seed and PE.
func TestDraws(t *testing.T) {
	for _, test := range []string{"randomput", "randomget"} {
		cfg := Defaults(test)
		cfg.PEs, cfg.Bytes = 4, 4096
		p := newPlan(cfg)
		reached := map[int]bool{}
		for _, d := range p.drawAll(1) {
			reached[d.pe] = true
			low, high := p.dest+p.region, p.dest+2*p.region-p.span(p.dstStep)
			if p.isGet() {
				low, high = p.source, p.dest-p.span(p.srcStride)
			}
			if d.at < low || d.at > high {
				t.Errorf("%s: offset %d, want %d to %d", test, d.at, low, high)
			}
		}
		if len(reached) != 3 || reached[1] {
			t.Errorf("%s: PE 1 reaches %v", test, reached)
		}
		other := p.drawAll(2)
		cfg.Seed++
		if again := newPlan(cfg).drawAll(1); again[0] == p.drawAll(1)[0] && again[1] == p.drawAll(1)[1] ||
			other[0] == p.drawAll(1)[0] && other[1] == p.drawAll(1)[1] {
			t.Errorf("%s: the same draws for another seed or PE", test)
		}
	}
}
