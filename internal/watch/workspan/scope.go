package workspan

import (
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/core/word"
)

// A finish scope has the depth of the deepest EDT or scope in it.

// leave raises the depth of a scope to the depth of an EDT or scope in it; scope 0 is none.
func (w *worker) leave(scope, depth uint64) {
	if scope != 0 {
		raise(&w.meter.events.at(uint32(scope)).depth, depth)
	}
}

func (w *worker) ScopeOpened(scope, e guid.GUID) {
	record := w.event(scope)
	record.begin(low(scope), 0)
	record.outer = w.scope
	word.Publish(&w.edt(e).scope, low(scope))
}

func (w *worker) ScopeClosed(scope, output guid.GUID) {
	record := w.event(scope)
	depth := atomic.LoadUint64(&record.depth)
	if !w.inBody {
		w.depth = depth // for the next calls outside bodies
	}
	w.closed = gone{low(output), depth}
	w.leave(record.outer, depth)
}

func (w *worker) EDTDestroyed(e guid.GUID) {
	w.leave(atomic.LoadUint64(&w.edt(e).scope), w.depthNow())
}
