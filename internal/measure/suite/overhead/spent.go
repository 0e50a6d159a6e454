package overhead

import goruntime "runtime"

// Spent is what the program has allocated on the heap from begin, at the first timed round, to end, at the last: what
// is done between the timed parts is included.
type Spent struct{ Mallocs, Bytes uint64 }

func (p *Spent) begin() { p.Mallocs, p.Bytes = heap() }

func (p *Spent) end() {
	mallocs, bytes := heap()
	p.Mallocs, p.Bytes = mallocs-p.Mallocs, bytes-p.Bytes
}

// heap returns how many objects and bytes the program has allocated so far.
func heap() (mallocs, bytes uint64) {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.Mallocs, m.TotalAlloc
}
