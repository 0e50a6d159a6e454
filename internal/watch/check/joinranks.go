package check

import (
	"encoding/json"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/watch/ranklog"
	"ocr/runtime/finding"
)

// joinRanks judges a run over several ranks on rank 0, after its end: the records of all ranks are replayed to the
// workers of a checker without views, which judges them as it would have during the run. MessageSent has the causes of
// what a message leads to.
func (k *Checker) joinRanks(leaks []edt.Leak) []finding.Finding {
	k.lock()
	k.takeFaults()
	k.close()
	k.mu.Unlock()
	if k.log.Me() != 0 {
		return nil
	}
	whole := newChecker()
	whole.memory.tellsUnwritten = k.memory.tellsUnwritten
	whole.messages = new(ranklog.Messages[*deferred])
	if lost := k.log.Lost(); len(lost) > 0 {
		k.notes = append(k.notes, fmt.Sprintf("check mode: nothing was judged, as ranks %v are lost", lost))
		return nil
	}
	if k.log.Replay(func(int) ranklog.Reader { return &worker{k: whole} }) {
		k.notes = append(k.notes, fmt.Sprintf(
			"check mode: what came after a rank had recorded %d MiB was not checked", ranklog.MaxBytes>>20))
	}
	whole.settleDoubts()
	whole.reportLeaks(leaks)
	k.undecided = whole.undecided
	return whole.all()
}

// Now implements [ranklog.Reader].
func (w *worker) Now(r *ranklog.Record) { w.now = r }

// Begins is EDTBegin for a record.
func (w *worker) Begins(r *ranklog.Record) {
	defer w.enter()()
	n := w.begins(r.A, r.Name, r.About, r.Deps)
	for k, d := range r.Deps {
		if !d.Block.IsNull() && d.Mode != datablock.Null && n.holds[d.Block] == nil {
			b := w.k.blockOf(d.Block)
			n.hold(b, d.Mode, k)
			if b.end.by.from != nil {
				w.k.judgeDestruction(b.end, b, n)
			}
		}
	}
}

// hold records that an EDT has a block, without a view.
func (n *node) hold(b *block, mode datablock.Mode, slot int) {
	if b.synced {
		return
	}
	n.keepHold(&hold{node: n, block: b, mode: mode, slot: slot})
}

// released is BlockReleased for a record.
func (w *worker) released(id guid.GUID, downgraded bool) {
	defer w.enter()()
	n := w.self()
	if n == nil || n.holds[id] == nil {
		return
	}
	h := n.holds[id]
	if len(w.now.Data) > 0 { // else the EDT saw the block itself
		p := publication{at: w.k.tick(), site: w.site()}
		if err := json.Unmarshal(w.now.Data, &p); err != nil {
			panic(err) // both are of one program
		}
		w.k.judge(h, &p)
	}
	if downgraded {
		h.mode = datablock.RO
	} else {
		delete(n.holds, id)
	}
}

// MessageSent keeps the causes of a message for the calls that it leads to.
func (w *worker) MessageSent(_ int, from, _, block guid.GUID) []byte {
	defer w.enter()()
	m := &deferred{from: from, scope: w.opened}
	w.opened = nil
	m.by, m.site, _ = w.caller()
	m.causes = w.why()
	if n := w.self(); n != nil {
		for _, h := range n.holds {
			if h.writes() {
				m.offers = append(m.offers, offer{h, m.site})
			}
		}
	} else if w.message != nil {
		m.offers = w.message.offers
	}
	if e := w.eventOf(from); e != nil {
		s := w.k.take(e, block, true)
		m.causes, m.offers = append(m.causes, s.causes...), append(s.offers, m.offers...)
	}
	w.k.messages.Sent(w.now, m)
	return nil
}

// Came implements [ranklog.Reader].
func (w *worker) Came(from int, sent uint64) {
	w.message, w.latest = w.k.messages.Came(w.now, from, sent), nil
}

// MessageDone ends the calls that follow from the message.
func (w *worker) MessageDone() { w.message, w.resumed = nil, nil }

// Heard reports a finding that a rank has recorded.
func (w *worker) Heard(r *ranklog.Record) {
	defer w.enter()()
	f := finding.Finding{
		Kind: finding.Kind(r.N), Note: r.Mode == noted, EDT: r.A, Template: r.Name, About: r.About,
		Site: r.Site, Object: r.B, ObjectSite: w.k.siteOf(r.B), Detail: string(r.Data),
	}
	w.k.report(f)
}

// siteOf returns where an object was created, if that is known. The caller holds the lock.
func (k *Checker) siteOf(id guid.GUID) string {
	if n := k.nodes[id]; n != nil {
		return n.site
	}
	if b := k.blocks[id]; b != nil {
		return b.site
	}
	return ""
}
