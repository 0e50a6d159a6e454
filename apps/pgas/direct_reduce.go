package pgas

import "ocr/apps/shmem"

// reduceSeparate sums slides of the source into one target.
func (r *runner) reduceSeparate(first, end int) {
	n := r.cfg.Bytes / ElementBytes
	for i := first; i < end; i++ {
		r.pe.SumToAll(shmem.Int32, r.destAt(0), r.sourceAt(i), n)
	}
}

// reduceInPlace sums one buffer into itself. That multiplies it by the number of PEs each
// time, so it is set again, outside of the timing, before the numbers grow too large.
func (r *runner) reduceInPlace(first, end int) {
	n, at := r.cfg.Bytes/ElementBytes, r.destAt(0)
	renewal := r.renewal()
	for i := first; i < end; i++ {
		if i%renewal == 0 {
			begin := now()
			copy(r.segment[at:][:r.cfg.Bytes], r.message(i/renewal))
			r.pe.Barrier()
			r.exclude(begin)
		}
		r.pe.SumToAll(shmem.Int32, at, at, n)
	}
}

// renewal returns after how many reductions in place the operand is set again: the sums
// stay below 2^24.
func (p *plan) renewal() int {
	limit, n := 1<<24/operandSum(p.cfg.PEs, operandPeriod-1), 1
	for limit >= p.cfg.PEs && n < 16 {
		limit /= max(p.cfg.PEs, 2)
		n++
	}
	return n
}

// lastOperands returns which slide of the source the last of so many reductions has
// used, in bytes, and how many times its sum is in the target.
func (p *plan) lastOperands(iterations int) (shift, times int) {
	last := iterations - 1
	if p.cfg.Test == "reduce" {
		return p.sourceAt(last) - p.source, 1
	}
	times = 1
	for range last % p.renewal() {
		times *= p.cfg.PEs
	}
	return p.sourceAt(last/p.renewal()) - p.source, times
}
