package c2c

import "ocr/datablock/cell"

// In test Ring transfer k is block k, and all go from A to B. written and freed
// count blocks from the start of the trial; A has Blocks credits, of which
// written-freed are in use. Each end looks at the other's index only when its last
// view of it does not let it go on.

// produce is A. It is done once all its blocks have been freed.
func (e *end[T]) produce(from, to uint64) uint64 {
	freed := from // all before were freed when the last call returned
	for k := from; k < to; k++ {
		if k-freed == uint64(e.cfg.Blocks) {
			if freed = e.awaitIndex(e.freed, freed); k-freed == uint64(e.cfg.Blocks) {
				return freed
			}
		}
		cell.Fill(e.block(k), T(e.cfg.ringValue(k)))
		cell.Store(e.written, k+1)
	}
	for freed < to {
		next := e.awaitIndex(e.freed, freed)
		if next == freed {
			return freed
		}
		freed = next
	}
	return to
}

// consume is B. A credit goes back with every block.
func (e *end[T]) consume(from, to uint64) uint64 {
	written := from
	for k := from; k < to; k++ {
		if k == written {
			if written = e.awaitIndex(e.written, written); k == written {
				return k
			}
		}
		block := e.block(k)
		e.wrong += uint64(len(block) - cell.Match(block, T(e.cfg.ringValue(k))))
		cell.Store(e.freed, k+1)
	}
	return to
}

// block returns where block k lies.
func (e *end[T]) block(k uint64) []T {
	at := int(k%uint64(e.cfg.Blocks)) * e.cfg.Length
	return e.ring[at : at+e.cfg.Length]
}

// awaitIndex polls an index until it has moved on from seen. It returns seen if
// the trial was stopped.
func (e *end[T]) awaitIndex(p *uint64, seen uint64) uint64 {
	for polls := 1; ; polls++ {
		if v := cell.Load(p); v != seen {
			return v
		}
		if polls%(burst*burstBatch) == 0 && !e.goOn() {
			return seen
		}
	}
}
