package ranklog

import (
	"encoding/binary"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// A Worker is the recording observer of a worker or of the courier.
type Worker struct {
	edt.NopObserver
	Before func() // called before each call is recorded; may be nil
	log    *Log
	of     *edt.Worker
}

// Observe makes the observer of a worker.
func (l *Log) Observe(w *edt.Worker) *Worker { return &Worker{log: l, of: w} }

// add records a call, and returns its moment.
func (w *Worker) add(r Record) uint64 {
	if w.Before != nil {
		w.Before()
	}
	r.Worker, r.Self = w.of.Number(), !w.of.Ctx().Self().IsNull()
	return w.log.add(&r)
}

// called records a call of the API, with its line. For calls that the courier carries out, the record of the message
// has the line.
func (w *Worker) called(r Record) uint64 {
	if w.log.sites && w.of.Number() != w.log.workers {
		r.Site = edt.CallSite()
	}
	return w.add(r)
}

// detail records what only check mode needs.
func (w *Worker) detail(r Record) {
	if w.log.sites {
		w.called(r)
	}
}

// Say adds a record of the observer's own. Any goroutine may call it.
func (w *Worker) Say(r Record) {
	r.kind, r.Worker = said, w.of.Number()
	w.log.add(&r)
}

func (w *Worker) EDTCreated(e guid.GUID, t *edt.Template, _ int) {
	w.called(Record{kind: created, A: e, Name: t.Name()})
}
func (w *Worker) EDTReady(e guid.GUID) { w.detail(Record{kind: ready, A: e}) }
func (w *Worker) EDTBegin(e guid.GUID, t *edt.Template, in edt.Args) {
	r := Record{kind: begins, A: e, Name: t.Name(), About: t.About(in.Params(), in.Deps()), At: sys.MachineTime()}
	if w.log.sites {
		for k := range in.Deps() {
			d := in.Dep(k)
			r.Deps = append(r.Deps, Dep{d.GUID(), d.Mode(), t.SlotName(k)})
		}
	}
	w.add(r)
}
func (w *Worker) EDTReturned(e guid.GUID) {
	w.add(Record{kind: returned, A: e, At: sys.MachineTime()})
}
func (w *Worker) EDTEnded(e guid.GUID)     { w.add(Record{kind: ended, A: e}) }
func (w *Worker) EDTDestroyed(e guid.GUID) { w.called(Record{kind: destroyed, A: e}) }
func (w *Worker) EventCreated(e guid.GUID, t edt.EventType) {
	w.called(Record{kind: eventCreated, A: e, N: int(t)})
}
func (w *Worker) EventSatisfied(e, from, block guid.GUID, slot int) {
	w.called(Record{kind: eventSatisfied, A: e, B: from, C: block, N: slot})
}
func (w *Worker) EventDestroyed(e guid.GUID) { w.called(Record{kind: eventDestroyed, A: e}) }
func (w *Worker) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	w.detail(Record{kind: depends, A: source, B: dst, N: slot, Mode: mode})
}
func (w *Worker) SlotSatisfied(e guid.GUID, slot int, from, block guid.GUID) {
	w.called(Record{kind: slotSatisfied, A: e, B: from, C: block, N: slot})
}
func (w *Worker) BlockCreated(block guid.GUID, size int, bytes []byte) []byte {
	w.detail(Record{kind: blockCreated, A: block, N: size, Data: make([]byte, min(1, len(bytes)))})
	return bytes
}
func (w *Worker) BlockReleased(block guid.GUID, mode datablock.Mode, downgraded bool) {
	w.Released(block, mode, downgraded, nil)
}

// Released is BlockReleased, with the observer's data on the hold.
func (w *Worker) Released(block guid.GUID, mode datablock.Mode, downgraded bool, data []byte) {
	r := Record{kind: blockReleased, A: block, Mode: mode, Data: data}
	if downgraded {
		r.N = 1
	}
	w.detail(r)
}
func (w *Worker) BlockSynchronised(block guid.GUID) {
	w.detail(Record{kind: blockSynchronised, A: block})
}
func (w *Worker) BlockUnordered(block guid.GUID, uses edt.Unordered) {
	w.detail(Record{kind: blockUnordered, A: block, N: int(uses)})
}
func (w *Worker) BlockDestroyed(block guid.GUID) { w.detail(Record{kind: blockDestroyed, A: block}) }
func (w *Worker) ScopeOpened(scope, e guid.GUID) { w.add(Record{kind: scopeOpened, A: scope, B: e}) }
func (w *Worker) ScopeClosed(scope, output guid.GUID) {
	w.add(Record{kind: scopeClosed, A: scope, B: output})
}
func (w *Worker) CallDeferred(call uint64) { w.called(Record{kind: callDeferred, N: int(call)}) }
func (w *Worker) CallResumed(call uint64)  { w.add(Record{kind: callResumed, N: int(call)}) }

// MessageSent adds the moment to the message.
func (w *Worker) MessageSent(to int, from, about, block guid.GUID) []byte {
	return binary.LittleEndian.AppendUint64(nil, w.called(Record{kind: messageSent, N: to, A: from, B: about, C: block}))
}

// MessageCame advances the clock to the message's moment.
func (w *Worker) MessageCame(from int, note []byte) {
	sent := binary.LittleEndian.Uint64(note)
	w.log.heard(sent)
	w.add(Record{kind: messageCame, N: from, from: sent})
}
func (w *Worker) MessageDone() { w.add(Record{kind: messageDone}) }

// RankEnded returns the log of a rank.
func (w *Worker) RankEnded() []byte {
	w.add(Record{kind: logEnds}) // an empty log would not be sent
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	return w.log.records.bytes
}

// RankReported keeps the log of a rank.
func (w *Worker) RankReported(rank int, told []byte) { w.log.parts[rank] = slices.Clone(told) }
