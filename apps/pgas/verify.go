package pgas

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
)

// verify compares the destinations in all segments, guards included, with what they must hold after every PE's total
// iterations. It returns how many bytes it compared. It goes by the description of the transfers, element by element,
// and shares no code with what moved them.
func (p *plan) verify(segments [][]byte, totals []int) (checked int, err error) {
	want := make([]byte, p.bytes-p.dest)
	draws := make([][]draw, p.cfg.PEs)
	for pe := range draws {
		draws[pe] = p.drawAll(pe)
	}
	for to, segment := range segments {
		fillGuard(want)
		if p.reduces() {
			p.expectSum(want, totals[to])
		} else {
			p.expectTransfers(want, to, totals, draws)
		}
		got := segment[p.dest:p.bytes]
		if !bytes.Equal(got, want) {
			return checked, p.mismatch(to, got, want)
		}
		checked += len(want)
	}
	return checked, nil
}

// expectTransfers writes what PEs have moved into the destination of PE to.
func (p *plan) expectTransfers(want []byte, to int, totals []int, draws [][]draw) {
	for pe, total := range totals {
		if !p.active(pe) {
			continue
		}
		random := p.test.Uses.Random && !p.isGet()
		for i := max(0, total-p.depth()); i < total; i++ {
			if random && draws[pe][i&(p.draws-1)].pe != to {
				continue
			}
			for _, t := range p.transfers(pe, i, draws[pe]) {
				if t.to == to {
					p.expect(want[t.dst-p.dest:], t)
				}
			}
		}
	}
}

// expect writes one transfer, whose destination begins at b.
func (p *plan) expect(b []byte, t transfer) {
	if p.srcStride == 1 && p.dstStep == 1 {
		b = b[:p.elements*p.width]
		pattern(b, t.from, t.src)
	} else {
		for k := range p.elements {
			at := k * p.dstStep * p.width
			pattern(b[at:at+p.width], t.from, t.src+k*p.srcStride*p.width)
		}
	}
	switch {
	case t.flag == 0:
	case len(b) == 4:
		binary.LittleEndian.PutUint32(b, uint32(t.flag))
	default:
		binary.LittleEndian.PutUint64(b[len(b)-8:], t.flag)
	}
}

// expectSum writes what the last reduction has left: the closed form.
func (p *plan) expectSum(want []byte, iterations int) {
	shift, times := p.lastOperands(iterations)
	target := datablock.SliceOf[int32](want[guard : guard+p.cfg.Bytes])
	for j := range target {
		target[j] = int32(operandSum(p.cfg.PEs, shift/ElementBytes+j) * times)
	}
}

// mismatch names the first byte or element that is wrong.
func (p *plan) mismatch(pe int, got, want []byte) error {
	at := 0
	for got[at] == want[at] {
		at++
	}
	if first := at - guard; p.reduces() && first >= 0 && first < p.cfg.Bytes {
		at -= first % ElementBytes
		return p.wrong(0, pe, p.dest+at, datablock.SliceOf[int32](got[at:])[0], datablock.SliceOf[int32](want[at:])[0])
	}
	return p.wrong(0, pe, p.dest+at, hex(got[at]), hex(want[at]))
}

// wrong is a byte or element at an offset of a PE's segment: in a synchronisation check,
// counted from 1, or after the timed part (0).
func (p *plan) wrong(check, pe, offset int, got, want any) error {
	where := fmt.Sprintf("%s/%s, %d bytes: ", p.cfg.Test, p.cfg.Form, p.cfg.Bytes)
	if check > 0 {
		where += fmt.Sprintf("synchronisation check %d: ", check)
	}
	return trial.Wrong(appName, where+fmt.Sprintf("PE %d, offset %d", pe, offset), got, want)
}

func hex(b byte) string { return fmt.Sprintf("%#02x", b) }
