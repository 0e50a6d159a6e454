package workspan

import (
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/word"
)

// A Meter measures one run.
//
// Concurrency: until the run has ended, a worker's part is used by this worker alone. A worker that satisfies an EDT or
// event raises the EDT's or event's depth atomically. Workers read it after all satisfactions, see [edt.Observer].
type Meter struct {
	clock   func() int64
	period  func() float64
	workers []*worker
	edts    table[edtDepth]
	events  table[eventDepth]
	letters sync.Map // by number of a deferred call: the depth of the call that deferred it
}

// New makes a meter of a run on this number of workers. It reads clock at each call; period returns the nanoseconds of
// a step of the clock, and is called once, after the run.
func New(workers int, clock func() int64, period func() float64) *Meter {
	m := &Meter{clock: clock, period: period, workers: make([]*worker, workers)}
	for k := range m.workers {
		m.workers[k] = &worker{meter: m, tallies: map[string]*tally{}}
	}
	return m
}

// Observe returns the observer of a worker; it is for [ocr/runtime.Observe].
func (m *Meter) Observe(w *edt.Worker) edt.Observer { return m.workers[w.Number()] }

// An edtDepth is the depth of an EDT's start, and the low GUID word of its finish scope, 0 for none.
type edtDepth struct{ start, scope uint64 }

// A worker is the observer of one worker. Times are steps of the clock.
type worker struct {
	edt.NopObserver
	_     [64]byte
	meter *Meter

	inBody  bool
	start   uint64 // depth of the running EDT's start
	begun   int64
	scope   uint64    // finish scope of the EDT that runs or ran last; 0 for none
	depth   uint64    // of the end of the latest body
	call    uint64    // depth of the body's current API call; 0 if unknown
	renewed guid.GUID // EDT as which the latest EDT goes on (Again); Null for none
	span    uint64
	gone    []gone
	brings  gone // the latest satisfied event that is no channel, and its depth
	closed  gone // output event of the latest closed scope, and its depth

	steals, parks          uint64
	seen                   bool
	first, last            int64 // readings of the clock
	body, idle, parked     int64
	idleSince, parkedSince int64

	template *edt.Template // of the latest EDT
	tally    *tally        // of this template
	tallies  map[string]*tally
	_        [64]byte
}

// depthNow returns the depth of the body's current point; between bodies, that of the latest end of a body or scope, or
// that of the deferred call that is carried out.
func (w *worker) depthNow() uint64 {
	if !w.inBody {
		return w.depth
	}
	w.call = w.start + uint64(w.meter.clock()-w.begun)
	return w.call
}

func (w *worker) EDTCreated(e guid.GUID, _ *edt.Template, _ int) {
	d := w.edt(e)
	word.Publish(&d.start, w.depthNow())
	word.Publish(&d.scope, w.scope) // that of the EDT which runs, or has run and goes on
	if !w.inBody {
		w.renewed = e
	}
}

func (w *worker) edt(e guid.GUID) *edtDepth { return w.meter.edts.at(uint32(low(e))) }

func (w *worker) DependenceAdded(_, dst guid.GUID, _ int, _ datablock.Mode) {
	w.gone, w.call = w.gone[:0], 0
	if dst == w.renewed {
		return // it has the depth of its creation
	}
	if dst.Kind() == guid.KindEDT {
		raise(&w.edt(dst).start, w.depthNow())
		return
	}
	e := w.event(dst)
	switch e.typ() {
	case edt.Idempotent, edt.Channel:
		// It may trigger, or pair, without this dependence.
	default:
		raise(&e.depth, w.depthNow())
	}
}

// SlotSatisfied needs only the event's depth: the call that added the dependence was reported before, and its depth
// counts already.
func (w *worker) SlotSatisfied(e guid.GUID, _ int, from, _ guid.GUID) {
	if from.IsNull() {
		return
	}
	depth := w.brings.depth
	if low(from) != w.brings.low {
		depth = w.depthOf(from)
	}
	raise(&w.edt(e).start, depth)
}

func (w *worker) EDTGranted(e guid.GUID) { w.EDTReady(e) }

// EDTReady reads the clock if this is the first report of the body's current API call.
func (w *worker) EDTReady(e guid.GUID) {
	depth := w.call
	if !w.inBody || depth == 0 {
		depth = w.depthNow()
	}
	raise(&w.edt(e).start, depth)
}

func (w *worker) EDTBegin(e guid.GUID, t *edt.Template, _ edt.Args) {
	d := w.edt(e)
	w.start, w.scope = atomic.LoadUint64(&d.start), d.scope
	w.gone = w.gone[:0]
	w.tally = w.tallyOf(t)
	w.inBody, w.call, w.renewed = true, 0, guid.Null
	w.begun = w.now()
}

func (w *worker) EDTReturned(guid.GUID) {
	took := w.now() - w.begun
	w.inBody = false
	w.depth = w.start + uint64(took)
	w.span = max(w.span, w.depth)
	w.leave(w.scope, w.depth)
	w.body += took
	w.tally.add(tally{1, took, took, took})
}

// BlockReleased begins a call; the reports of the EDTs that it makes ready follow.
func (w *worker) BlockReleased(guid.GUID, datablock.Mode, bool) { w.call = 0 }

// BlockDestroyed begins a call as BlockReleased does.
func (w *worker) BlockDestroyed(guid.GUID) { w.call = 0 }

func (w *worker) CallDeferred(call uint64) { w.meter.letters.Store(call, w.depthNow()) }

func (w *worker) CallResumed(call uint64) {
	if depth, ok := w.meter.letters.LoadAndDelete(call); ok {
		w.depth = depth.(uint64)
	}
}

// now reads the clock. The worker's time is that between its first and last reading.
func (w *worker) now() int64 {
	w.last = w.meter.clock()
	if !w.seen {
		w.seen, w.first = true, w.last
	}
	return w.last
}

func (w *worker) WorkerIdle() { w.idleSince = w.now() }

func (w *worker) WorkerBusy() { w.idle += w.now() - w.idleSince }

func (w *worker) WorkerParked() {
	w.parks++
	w.parkedSince = w.now()
}

func (w *worker) WorkerWoke() { w.parked += w.now() - w.parkedSince }

func (w *worker) WorkerStole(int) { w.steals++ }

// A tally is the times of the EDTs of one template, or of several with one name.
type tally struct {
	count              uint64
	total, least, most int64
}

// add adds the EDTs of another tally.
func (t *tally) add(u tally) {
	switch {
	case t.count == 0:
		*t = u
	case u.count > 0:
		*t = tally{t.count + u.count, t.total + u.total, min(t.least, u.least), max(t.most, u.most)}
	}
}

// tallyOf returns a template's tally. Tallies are kept by name, as programs may make any number of templates.
func (w *worker) tallyOf(t *edt.Template) *tally {
	if t == w.template {
		return w.tally
	}
	found := w.tallies[t.Name()]
	if found == nil {
		found = new(tally)
		w.tallies[t.Name()] = found
	}
	w.template = t
	return found
}
