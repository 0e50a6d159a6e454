package pgas

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/datablock"
)

// verify compares the destination in a PE's segment, guards included, with what it must hold after this number of
// iterations of every PE. It returns how many bytes it compared. It computes the expected bytes from the description of
// the transfers, element by element, and shares only partners and offsets with the transfers.
func (p *plan) verify(segment []byte, me, iterations int) (checked int, wrong *trial.VerifyError) {
	want := make([]byte, p.bytes-p.dest)
	fillGuard(want)
	if p.test.Kind == Reduction {
		p.expectSum(want, iterations)
	} else {
		p.expectTransfers(want, me, iterations)
	}
	got := segment[p.dest:p.bytes]
	at := firstDifference(got, want)
	if at < 0 {
		return len(want), nil
	}
	if first := at - guard; p.test.Kind == Reduction && first >= 0 && first < p.Bytes {
		at -= first % shmem.ElementBytes
		element := func(b []byte) int32 { return datablock.SliceOf[int32](b[at:])[0] }
		return 0, p.mismatch(0, me, p.dest+at, element(got), element(want))
	}
	return 0, p.mismatch(0, me, p.dest+at, hex(got[at]), hex(want[at]))
}

// expectTransfers writes to want what the transfers have moved to the destination of PE me.
func (p *plan) expectTransfers(want []byte, me, iterations int) {
	for pe := range p.PEs {
		if !p.active(pe) {
			continue
		}
		draws := p.drawAll(pe)
		for i := max(0, iterations-p.depth()); i < iterations; i++ {
			t := p.transfer(pe, i, draws)
			if t.to == me {
				p.expect(want[t.dst-p.dest:], i, t)
			}
			if p.Test == "putget" && pe == me {
				p.expect(want[p.back-p.dest:], i, t)
			}
		}
	}
}

// expect writes the transfer of iteration i, whose destination begins at b.
func (p *plan) expect(b []byte, i int, t transfer) {
	switch {
	case !p.test.Strided:
		pattern(b[:p.body()], t.from, t.src)
	case p.test.Gets:
		for k := range p.Bytes / shmem.ElementBytes {
			pattern(b[k*shmem.ElementBytes:][:shmem.ElementBytes], t.from, t.src+k*p.Stride*shmem.ElementBytes)
		}
	default:
		for k := range p.Bytes / shmem.ElementBytes {
			pattern(b[k*p.Stride*shmem.ElementBytes:][:shmem.ElementBytes], t.from, t.src+k*shmem.ElementBytes)
		}
	}
	if p.flagged() {
		binary.LittleEndian.PutUint64(b[p.body():], flagOf(i))
	}
}

// expectSum writes to want the result of the last reduction, in closed form.
func (p *plan) expectSum(want []byte, iterations int) {
	last, times := iterations-1, 1
	source := p.sourceAt(last)
	if p.Test == "reduceinplace" {
		source = p.sourceAt(last / p.renewal())
		for range last % p.renewal() {
			times *= p.PEs
		}
	}
	target := datablock.SliceOf[int32](want[guard : guard+p.Bytes])
	for j := range target {
		target[j] = int32(operandSum(p.PEs, source/shmem.ElementBytes+j) * times)
	}
}

// firstDifference returns the first index at which two slices of equal length differ, -1 if they do not.
func firstDifference(got, want []byte) int {
	if bytes.Equal(got, want) {
		return -1
	}
	at := 0
	for got[at] == want[at] {
		at++
	}
	return at
}

// mismatch is the error of a wrong byte or element at an offset of a PE's segment. check is the number, from 1, of the
// check of synchronisation that found it; 0: the verification after the timed part.
func (p *plan) mismatch(check, pe, offset int, got, want any) *trial.VerifyError {
	where := fmt.Sprintf("%s/%s, %d bytes: ", p.Test, p.Form, p.Bytes)
	if check > 0 {
		where += fmt.Sprintf("synchronisation check %d: ", check)
	}
	return trial.Wrong(appName, where+fmt.Sprintf("PE %d, offset %d", pe, offset), got, want)
}

func hex(b byte) string { return fmt.Sprintf("%#02x", b) }
