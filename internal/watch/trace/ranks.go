package trace

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/core/sys"
)

// Over several ranks each has a recorder:
//
//  1. A worker records each message that its EDT sends, with a number that the message carries.
//  2. The courier of the receiving rank records that number before the calls that follow from the message.
//  3. At the end of the run rank 0 gets the records of all ranks. The file has a process for each rank.

// sentBits are the low bits of a message's number, which count the messages of a worker. The others are the worker.
const sentBits = 40

// An overRanks is the state of a worker for messages of other ranks.
type overRanks struct {
	recorder *Recorder
	sent     uint64 // number of the latest message sent
	handles  bool   // this is the courier, and it handles a message
	came     uint64 // number of that message, 0 once it is recorded
}

// bear records whether another rank has named the EDT, by its high GUID word.
func (r *record) bear(high uint64) {
	if high&ids.RemoteBit != 0 {
		r.kindAnd |= bornBit
	}
}

// follow records the message that is handled, before the first call that follows from it.
func (w *worker) follow() {
	if w.over.came != 0 {
		w.note(comes, 0, w.over.came)
		w.over.came = 0
	}
}

func (w *worker) MessageSent(_ int, _, _, _ guid.GUID) []byte {
	if !w.flows || !w.inEDT && !w.over.handles {
		return nil
	}
	w.follow()
	w.over.sent++
	w.note(sends, 0, w.over.sent)
	return binary.LittleEndian.AppendUint64(nil, w.over.sent)
}

func (w *worker) MessageCame(_ int, note []byte) {
	if len(note) > 0 {
		w.over.handles, w.over.came, w.created = true, binary.LittleEndian.Uint64(note), 0
	}
}

func (w *worker) MessageDone() { w.over.handles, w.over.came, w.created = false, 0, 0 }

// A process is a rank in the file.
type process struct {
	pid     int // 1 + the rank
	each    int // workers of a rank
	workers []*worker
}

// processes returns the ranks.
func (r *Recorder) processes() (all []process) {
	if r.ranks == nil {
		return []process{{1, len(r.workers), r.workers}}
	}
	for k, workers := range r.ranks {
		all = append(all, process{1 + k, len(r.workers) - 1, workers})
	}
	return all
}

// shown are the workers that run EDTs.
func (p *process) shown() []*worker { return p.workers[:min(p.each, len(p.workers))] }

// couriers is the courier, if there are several ranks.
func (p *process) couriers() []*worker { return p.workers[min(p.each, len(p.workers)):] }

func (p *process) track(worker int) track { return track{p.pid, (p.pid-1)*p.each + worker} }

func (r *Recorder) processName(title string, pid int) string {
	if r.ranks == nil {
		return title
	}
	return fmt.Sprintf("%s, rank %d", title, pid-1)
}

// arrowsOverRanks writes the arrows from EDTs to those of other ranks.
func (x *exporter) arrowsOverRanks(r *Recorder) {
	follows := make(map[uint64]uint64) // by message of a courier: the message that it followed from
	couriers(r, func(_ int, came uint64, rec *record) {
		if rec.kind() == sends {
			follows[rec.edt] = came
		}
	})
	couriers(r, func(pid int, came uint64, rec *record) {
		for follows[came] != 0 {
			came = follows[came]
		}
		if t, ok := x.sent[came]; ok && rec.kind() != sends {
			x.arrow(&t, rec, pid)
		}
	})
}

// couriers calls f for each record of a courier, with the number of the message that it handled.
func couriers(r *Recorder, f func(pid int, came uint64, rec *record)) {
	if r.ranks == nil {
		return
	}
	for _, p := range r.processes() {
		for _, w := range p.couriers() {
			came, records := uint64(0), w.ring.inOrder()
			for k := range records {
				switch rec := &records[k]; rec.kind() {
				case comes:
					came = rec.edt
				case satisfies, creates, sends:
					f(p.pid, came, rec)
				}
			}
		}
	}
}

// A toldWorker is the encoding of a worker for rank 0. Times are those of the machine's monotonic clock, in
// nanoseconds.
type toldWorker struct {
	Records              []toldRecord
	High                 uint64
	Begun, Steals, Parks uint64
	Made                 uint32
	Lost                 uint64
	InEDT                bool
}

type toldRecord struct {
	At       int64
	EDT      uint64
	Template string
	About    string
	Made     uint32
	KindAnd  uint32
}

// A foreign template is the name of a template of another rank.
type foreign string

// Name implements named.
func (f foreign) Name() string { return string(f) }

func (w *worker) RankEnded() []byte {
	period := sys.CyclePeriod()
	cycles, now := sys.BothClocks()
	var all []toldWorker
	for _, o := range w.over.recorder.workers {
		told := toldWorker{nil, o.high, o.begun, o.steals, o.parks, o.made, o.ring.lost, o.inEDT}
		for _, r := range o.ring.inOrder() {
			one := toldRecord{now + int64(float64(r.at-cycles)*period), r.edt, "", r.about, r.made, r.kindAnd}
			if r.template != nil {
				one.Template = r.template.Name()
			}
			told.Records = append(told.Records, one)
		}
		all = append(all, told)
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(all); err != nil {
		panic(err) // it is plain data
	}
	return out.Bytes()
}

func (w *worker) RankReported(rank int, told []byte) {
	var all []toldWorker
	if err := gob.NewDecoder(bytes.NewReader(told)).Decode(&all); err != nil {
		panic(err) // both are of one program
	}
	period := sys.CyclePeriod()
	cycles, now := sys.BothClocks()
	for k := range all {
		from := &all[k]
		o := &worker{high: from.High, begun: from.Begun, steals: from.Steals, parks: from.Parks, made: from.Made,
			inEDT: from.InEDT}
		o.ring.lost, o.ring.next = from.Lost, len(from.Records)
		for _, r := range from.Records {
			one := record{at: cycles + int64(float64(r.At-now)/period), edt: r.EDT, about: r.About, made: r.Made,
				kindAnd: r.KindAnd}
			if r.Template != "" {
				one.template = foreign(r.Template)
			}
			o.ring.records = append(o.ring.records, one)
		}
		w.over.recorder.ranks[rank] = append(w.over.recorder.ranks[rank], o)
	}
}
