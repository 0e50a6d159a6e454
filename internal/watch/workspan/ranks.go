package workspan

import (
	"encoding/binary"
	"encoding/json"
	"sync"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/ids"
)

// Over several ranks a message carries the depth of the call that sent it, and the courier handles it at that depth.
// The clocks of all ranks count the same steps. So each rank has the depths of its own objects; the greatest is the
// span.

// elsewhere has the depths of EDTs that another rank has named, and of dependences of objects of other ranks.
//
// Concurrency: both maps are under mu; the depths of EDTs are updated as those in the table.
type elsewhere struct {
	mu    sync.Mutex
	edts  map[guid.GUID]*edtDepth // by the GUID that another rank has given
	links map[link]uint64         // the depth of the call that added the dependence
}

// A link is a dependence of an object of another rank on an event of this one.
type link struct{ source, dst guid.GUID }

// born returns the depth of an EDT that another rank has named.
func (l *elsewhere) born(e guid.GUID) *edtDepth {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.edts[e]
	if d == nil {
		if l.edts == nil {
			l.edts = make(map[guid.GUID]*edtDepth)
		}
		d = new(edtDepth)
		l.edts[e] = d
	}
	return d
}

// forget drops the depth of an EDT that has run, if another rank has named it.
func (l *elsewhere) forget(e guid.GUID) {
	if hi, _ := e.Words(); hi&ids.RemoteBit != 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.edts, e)
	}
}

func (l *elsewhere) link(source, dst guid.GUID, depth uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.links == nil {
		l.links = make(map[link]uint64)
	}
	k := link{source, dst}
	l.links[k] = max(l.links[k], depth)
}

// unlink removes a link and returns its depth, 0 if there is none.
func (l *elsewhere) unlink(source, dst guid.GUID) uint64 {
	if source.IsNull() {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k := link{source, dst}
	defer delete(l.links, k)
	return l.links[k]
}

// isAway reports whether an object lives on another rank.
func (m *Meter) isAway(g guid.GUID) bool { return m.parts != nil && g.Home() != m.rank }

// MessageSent adds the depth to the message.
func (w *worker) MessageSent(_ int, from, about, _ guid.GUID) []byte {
	depth := max(w.depthNow(), w.depthOf(from), w.meter.elsewhere.unlink(from, about))
	return binary.LittleEndian.AppendUint64(nil, depth)
}

func (w *worker) MessageCame(_ int, note []byte) {
	w.handles, w.depth, w.scope = true, binary.LittleEndian.Uint64(note), 0
}

func (w *worker) MessageDone() { w.handles, w.depth, w.scope = false, 0, 0 }

func (w *worker) ScopeEntered(scope guid.GUID) { _, w.scope = scope.Words() }

func (w *worker) ScopeReturned(scope guid.GUID) {
	_, low := scope.Words()
	w.leave(low, w.depth)
}

// unasked stands for the template of blocks for which no EDT waits when they come.
const unasked = "(unasked)"

// BlockArrived is for the courier, as all that has come from other ranks.
func (w *worker) BlockArrived(t *edt.Template, bytes int) {
	if w.arrived == nil {
		w.arrived = make(map[string]int64)
	}
	name := unasked
	if t != nil {
		name = t.Name()
	}
	w.arrived[name] += int64(bytes)
}

func (w *worker) RankEnded() []byte {
	told, err := json.Marshal(w.meter.resultHere())
	if err != nil {
		panic(err) // it is plain data
	}
	return told
}

func (w *worker) RankReported(rank int, told []byte) {
	if err := json.Unmarshal(told, &w.meter.parts[rank]); err != nil {
		panic(err) // both are of one program
	}
}
