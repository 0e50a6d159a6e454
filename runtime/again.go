package runtime

import "ocr/edt"

// An EDT that runs again (edt.Ctx.Again) becomes ready last, at the end of its body, but must run after the EDTs that
// the body has made ready. A worker takes the newest EDT of a list first, so the EDT is inserted below those.

// listMarks are the lengths of a worker's lists when the body called Again. All EDTs made ready before are in them,
// none in the next-task slot.
type listMarks struct {
	bound int
	deque int64
	above []edt.Ready // scratch
}

// readyInTurn is Ready for an EDT whose place among the ready ones matters.
func (w *worker) readyInTurn(k edt.Ready) {
	k, last := k.Turn()
	if last && w.insertBelow(k) {
		return
	}
	if !last {
		w.mark()
	}
	w.Ready(k)
}

// mark records the lengths of the lists.
func (w *worker) mark() {
	if k := w.nextTask.take(); k != 0 {
		w.deque.push(k)
		w.pool.notify()
	}
	w.marks.bound, w.marks.deque = w.bound.n, w.deque.bottom.Load()
}

// insertBelow inserts an EDT below those that have become ready since the mark. It returns false if that makes no
// difference: the EDT has a priority, or goes to another worker.
func (w *worker) insertBelow(k edt.Ready) bool {
	at := k.Place()
	if to := at.Worker(); k.Priority() != 0 || to >= 0 && to != w.id {
		return false
	}
	if at.Strict() {
		w.bound.insert(k, w.marks.bound)
		return true
	}
	above := w.marks.above[:0]
	for w.deque.bottom.Load() > w.marks.deque {
		newer := w.deque.pop()
		if newer == 0 {
			break // thieves have taken the rest
		}
		above = append(above, newer)
	}
	w.deque.push(k)
	for n := len(above) - 1; n >= 0; n-- {
		w.deque.push(above[n])
	}
	w.marks.above = above
	w.pool.notify()
	return true
}
