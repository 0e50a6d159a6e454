package runtime

import "ocr/edt"

// An EDT that goes on (edt.Ctx.Again) becomes ready last, at the end of its body, but
// should run after what the body has made ready. The lists of a worker run the newest
// first; so it is filed below those.

// turns are how long the lists of EDTs were when the body that runs said that its EDT
// goes on. What was made ready before is in them, and not in the next-task slot.
type turns struct {
	bound int
	deque int64
	above []edt.Ready // scratch
}

// readyInTurn is Ready for an EDT around which the order matters.
func (w *worker) readyInTurn(k edt.Ready) {
	k, last := k.Turn()
	if last && w.fileBelow(k) {
		return
	}
	if !last {
		w.mark()
	}
	w.Ready(k)
}

// mark notes how long the lists are.
func (w *worker) mark() {
	if k := w.nextTask.take(); k != 0 {
		w.deque.push(k)
		w.pool.notify()
	}
	w.turns.bound, w.turns.deque = w.bound.n, w.deque.bottom.Load()
}

// fileBelow files an EDT below what has become ready since the mark. It reports false if
// that makes no difference: the EDT has a priority, or goes to another worker.
func (w *worker) fileBelow(k edt.Ready) bool {
	at := k.Place()
	if to := at.Worker(); k.Priority() != 0 || to >= 0 && to != w.id {
		return false
	}
	if at.Strict() {
		w.bound.insert(k, w.turns.bound)
		return true
	}
	above := w.turns.above[:0]
	for w.deque.bottom.Load() > w.turns.deque {
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
	w.turns.above = above
	w.pool.notify()
	return true
}
