package predict

import (
	"time"

	"ocr/edt"
)

// A worker is a pretended one.
type worker struct {
	lists
	core   *edt.Worker
	n      int
	state  state
	paid   int64 // ns of steps that delay what it does next
	coming int   // hand-offs that are under way to it
	shown  int   // its share of Host.free
	ready  *body // what a call outside of EDTs makes ready

	idle    uint64 // counts its times without an EDT
	counted bool   // pushes rely on it
	dormant bool   // it looks at others' lists again when one of them has something
	listed  bool   // in Host.dormant
	looked  int64  // when it last looked at them
	loot    int64  // when it stole what it runs, or that one's chain; below 0 if that was not stolen
}

type state uint8

const (
	searching state = iota
	busy
	parked
	waking
)

// Times of package runtime.
const (
	spinGrace = 1000 // ns of a search after which the worker counts
	leastSpin = 200  // ns from the begin of a search until the worker can be parked
)

func (h *Host) add(e event) {
	h.turn++
	e.turn = h.turn
	h.events.push(e)
}

func (h *Host) do(e *event) {
	w := e.w
	stale := w != nil && (w.state != searching || w.idle != e.idle)
	switch {
	case e.do == runs:
		h.execute(e.b)
		h.Result.Work += time.Duration(e.b.took)
		h.step(e.b)
	case e.do == steps:
		h.step(e.b)
	case e.do == arrives:
		w.coming--
		w.inbox = append(w.inbox, e.task)
		if w.state == searching {
			h.takeOwn(w)
		}
	case e.do == wakes:
		h.parked--
		h.search(w, true)
	case stale:
	case e.do == looks:
		h.look(w)
	case e.do == counts:
		w.counted = true
		h.spins++
	case e.do == parks:
		h.park(w)
	}
}

// pay has a worker spend time on a step.
func (h *Host) pay(w *worker, d time.Duration) {
	w.paid += int64(d)
	h.Result.Overhead += d
}

// begin has a worker begin an EDT.
func (h *Host) begin(w *worker, k edt.Ready) {
	if h.stopped {
		return
	}
	if w.state == searching {
		w.state, w.dormant = busy, false
		if h.uncount(w) && h.spins == 0 && h.free > 0 {
			h.wakeOne(w)
		}
	}
	h.pay(w, h.Costs.EDT)
	b := h.newBody()
	*b = body{w: w, task: k, name: h.Graph.TemplateOf(k).Name(), start: h.now + w.paid, made: b.made[:0]}
	w.paid = 0
	h.add(event{at: b.start + h.Known[b.name], do: runs, b: b})
}

func (h *Host) newBody() *body {
	n := len(h.bodies) - 1
	if n < 0 {
		return &body{}
	}
	b := h.bodies[n]
	h.bodies = h.bodies[:n]
	return b
}

// step goes on with a body that has run: it makes ready what is due, and ends.
func (h *Host) step(b *body) {
	due := b.took
	for b.at < len(b.made) {
		m := b.made[b.at]
		if due = m.after; b.start+due > h.now {
			break
		}
		b.at++
		h.place(b.w, m.task)
		b.start, b.w.paid, due = b.start+b.w.paid, 0, b.took
	}
	if b.start+due > h.now {
		h.add(event{at: b.start + due, do: steps, b: b})
		return
	}
	h.Result.Time = max(h.Result.Time, time.Duration(h.now))
	h.bodies = append(h.bodies, b)
	h.after(b.w, b.next)
}

// after goes on after an EDT, with next if that is not 0.
func (h *Host) after(w *worker, next edt.Ready) {
	switch {
	case h.Endless:
		if next != 0 {
			h.begin(w, next)
		}
		h.giveBack(w)
		return
	case w.left == 0:
		w.endRound(next != 0)
	default:
		w.left--
		if next != 0 && len(w.inbox)+len(w.ranked[0])+len(w.ranked[1]) == 0 {
			h.begin(w, next)
			return
		}
	}
	if next != 0 {
		h.enqueue(w, next)
	}
	if !h.takeOwn(w) {
		h.search(w, false)
	}
}

// takeOwn has a worker begin an EDT from its own lists, and reports whether there is one.
func (h *Host) takeOwn(w *worker) bool {
	for _, k := range w.inbox {
		h.enqueue(w, k)
	}
	w.inbox = w.inbox[:0]
	k := w.next()
	h.settle(w)
	if k != 0 {
		h.begin(w, k)
	}
	return k != 0
}

// settle counts what others may take from a worker.
func (h *Host) settle(w *worker) {
	n := w.stealable()
	h.free += n - w.shown
	w.shown = n
}

// enqueue puts an EDT into a worker's own lists.
func (h *Host) enqueue(w *worker, k edt.Ready) {
	if w.enqueue(item{k, h.now}) {
		h.notify(w)
	}
}

// notify is called when a worker has put an EDT into a list from which others may take it.
func (h *Host) notify(w *worker) {
	h.show(w)
	if h.parked > 0 && h.spins == 0 {
		h.wakeOne(w)
	}
}

// show has idle workers see what a worker has.
func (h *Host) show(w *worker) {
	h.settle(w)
	for _, thief := range h.dormant {
		thief.listed = false
		if thief.dormant {
			thief.dormant = false
			h.aim(thief)
		}
	}
	h.dormant = h.dormant[:0]
}

// wakeOne has a worker wake a parked one, if there is one.
func (h *Host) wakeOne(by *worker) {
	for _, w := range h.workers {
		if w.state == parked {
			h.wake(by, w)
			return
		}
	}
}

func (h *Host) wake(by, w *worker) {
	h.pay(by, h.Costs.Wake)
	w.state = waking
	h.add(event{at: h.now + by.paid + int64(h.Costs.Waking), do: wakes, w: w})
}

// place puts an EDT that a worker has made ready where it belongs.
func (h *Host) place(w *worker, k edt.Ready) {
	to := k.Place().Worker()
	other := to >= 0 && to != w.n
	switch {
	case h.Endless:
		if other {
			w = h.workers[to]
		}
		h.begin(w, k)
	case k.InTurn():
		h.placeInTurn(w, k, other)
	case other:
		h.send(w, h.workers[to], k)
	case k.Placed():
		h.enqueue(w, k)
	default:
		w.unslot()
		w.slot = item{k, h.now}
		if h.parked+h.spins == 0 {
			h.show(w)
			return
		}
		w.unslot()
		h.notify(w)
	}
}

// placeInTurn is place for EDTs around a call of Again.
func (h *Host) placeInTurn(w *worker, k edt.Ready, other bool) {
	k, last := k.Turn()
	if last && !other && k.Priority() == 0 {
		w.insertBelow(item{k, h.now})
		h.notify(w)
		return
	}
	if !last {
		w.mark()
	}
	h.place(w, k)
}

func (h *Host) send(w, to *worker, k edt.Ready) {
	h.Result.Sends++
	h.pay(w, h.Costs.Send)
	to.coming++
	h.add(event{at: h.now + w.paid + int64(h.Costs.Hop), do: arrives, w: to, task: k})
	if to.state == parked {
		h.wake(w, to)
	}
}

// giveBack is [edt.Worker.Idle].
func (h *Host) giveBack(w *worker) {
	h.call(w.ready, w.core.Idle)
	for _, m := range w.ready.made {
		h.place(w, m.task)
	}
}

// search begins a time without an EDT.
func (h *Host) search(w *worker, woken bool) {
	w.state, w.dormant = searching, false
	w.idle++
	if h.stopped {
		return
	}
	h.giveBack(w)
	if h.takeOwn(w) {
		return
	}
	if w.counted = woken; woken {
		h.spins++
	} else {
		h.add(event{at: h.now + spinGrace, do: counts, w: w, idle: w.idle})
	}
	if h.Costs.Spin <= time.Hour {
		h.add(event{at: h.now + max(leastSpin, int64(h.Costs.Spin)), do: parks, w: w, idle: w.idle})
	}
	if gap := int64(h.Costs.Gap); w.loot >= 0 && h.now-w.loot >= gap/2 {
		w.looked = h.now - gap
	}
	w.loot = -1
	h.aim(w)
}

// aim sets the time at which an idle worker looks at the lists of others: in steps of the gap, once there is something.
func (h *Host) aim(w *worker) {
	if h.free == 0 {
		w.dormant = true
		if !w.listed {
			w.listed = true
			h.dormant = append(h.dormant, w)
		}
		return
	}
	at, gap := h.now, int64(h.Costs.Gap)
	if gap > 0 {
		at = w.looked + max(1, (h.now-w.looked+gap-1)/gap)*gap
		w.looked = at - gap
	}
	h.add(event{at: at, do: looks, w: w, idle: w.idle})
}

// look has an idle worker look at the lists of others, nearest first.
func (h *Host) look(w *worker) {
	seen := w.looked
	if w.looked = h.now; h.Costs.Gap == 0 {
		seen = h.now
	}
	for k := 1; k < len(h.workers) && h.free > 0; k++ {
		from := h.workers[(w.n+k)%len(h.workers)]
		if from.shown == 0 {
			continue
		}
		if k := from.steal(seen); k != 0 {
			h.settle(from)
			h.Result.Steals++
			h.pay(w, h.Costs.Steal)
			w.loot = h.now
			h.begin(w, k)
			return
		}
	}
	h.aim(w)
}

// uncount ends the time in which pushes rely on an idle worker, and reports whether they did.
func (h *Host) uncount(w *worker) (did bool) {
	if did = w.counted; did {
		w.counted = false
		h.spins--
	}
	return did
}

// park ends a search that has found nothing.
func (h *Host) park(w *worker) {
	h.uncount(w)
	if h.free > 0 || w.coming > 0 {
		h.search(w, true)
		return
	}
	w.state, w.dormant = parked, false
	h.parked++
	h.Result.Parks++
}
