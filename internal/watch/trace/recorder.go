package trace

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// Kept is how many records of each worker a Recorder keeps in a user's run: 3.5 MiB of memory, and some 10 MB of the
// written trace if all are in use.
const Kept = 1 << 16

// A Recorder records one run.
//
// Concurrency: each worker writes its own part during the run, without readers.
// New is called before the run; Stop and the readers after all workers have ended.
type Recorder struct {
	workers []*worker
	courier bool  // over ranks: the last worker is the courier, which runs no EDT
	stopped int64 // in sys.Cycles
}

// New makes a recorder of a run on this number of workers (see [edt.Worker.Observed]). It keeps the latest records of
// each worker, as many as the argument kept, at least 1.
func New(workers, kept int) *Recorder {
	r := &Recorder{workers: make([]*worker, workers)}
	for k := range r.workers {
		r.workers[k] = &worker{ring: ring{records: make([]record, kept)}}
	}
	return r
}

// Observe returns the observer of a worker; it is for [ocr/runtime.Observe].
func (r *Recorder) Observe(w *edt.Worker) edt.Observer {
	_, ranks := w.Rank()
	r.courier = ranks > 1
	return r.workers[w.Number()]
}

// shown returns the workers that have a track.
func (r *Recorder) shown() []*worker {
	if r.courier {
		return r.workers[:len(r.workers)-1]
	}
	return r.workers
}

// Stop marks the end of the run.
func (r *Recorder) Stop() { r.stopped = sys.Cycles() }

// Dropped returns how many records of each worker are missing: the oldest.
func (r *Recorder) Dropped() (records []uint64) {
	for _, w := range r.shown() {
		records = append(records, w.ring.lost)
	}
	return records
}

// A worker is the observer of one worker.
type worker struct {
	edt.NopObserver
	_       [64]byte // no two workers share a cache line
	ring    ring
	high    uint64 // high GUID word of this run's EDTs
	created uint64 // low GUID word of the EDT that the running EDT created last; 0 once an event has satisfied it
	inEDT   bool
	_       [64]byte
}

// note records an event.
func (w *worker) note(k kind, number int, edt uint64) *record {
	r := w.ring.put()
	r.At, r.EDT, r.Number, r.Kind = sys.Cycles(), edt, uint32(number), k
	return r
}

func (w *worker) EDTBegin(e guid.GUID, t *edt.Template, in edt.Args) {
	high, low := e.Words()
	blocks, deps := 0, in.Deps()
	for k := range deps {
		if !deps[k].GUID().IsNull() {
			blocks++
		}
	}
	w.high, w.inEDT, w.created = high, true, 0
	about := t.About(in.Params(), deps)
	r := w.note(begins, blocks, low)
	r.Template, r.About = t.Name(), about
}

func (w *worker) EDTEnded(guid.GUID) { w.inEDT = false }

func (w *worker) EDTCreated(e guid.GUID, _ *edt.Template, _ int) { _, w.created = e.Words() }

func (w *worker) EDTReady(e guid.GUID) {
	if _, low := e.Words(); w.inEDT && low == w.created {
		w.note(creates, 0, low)
	}
}

func (w *worker) SlotSatisfied(e guid.GUID, slot int, from, _ guid.GUID) {
	if !w.inEDT {
		return
	}
	_, low := e.Words()
	if low == w.created {
		if from.IsNull() {
			return // part of the EDT's creation
		}
		w.created = 0 // it was not ready at once: an event makes it ready
	}
	w.note(satisfies, slot, low)
}

func (w *worker) WorkerIdle() { w.note(idles, 0, 0) }

func (w *worker) WorkerBusy() { w.note(busies, 0, 0) }

func (w *worker) WorkerParked() { w.note(parks, 0, 0) }

func (w *worker) WorkerWoke() { w.note(wakes, 0, 0) }
