package trace

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"slices"

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
		r.KindAnd |= bornBit
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
			follows[rec.EDT] = came
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
					came = rec.EDT
				case satisfies, creates, sends:
					f(p.pid, came, rec)
				}
			}
		}
	}
}

// A toldWorker is the encoding of a worker for rank 0.
type toldWorker struct {
	Totals
	Records []record
	High    uint64
	Made    uint32
	Lost    uint64
	InEDT   bool
}

func (w *worker) RankEnded() []byte {
	period := sys.CyclePeriod()
	cycles, now := sys.BothClocks()
	var all []toldWorker
	for _, o := range w.over.recorder.workers {
		told := toldWorker{o.Totals, slices.Clone(o.ring.inOrder()), o.high, o.made, o.ring.lost, o.inEDT}
		for k := range told.Records {
			r := &told.Records[k]
			r.At = now + int64(float64(r.At-cycles)*period)
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
	for _, from := range all {
		for k := range from.Records {
			r := &from.Records[k]
			r.At = cycles + int64(float64(r.At-now)/period)
		}
		w.over.recorder.ranks[rank] = append(w.over.recorder.ranks[rank], &worker{
			Totals: from.Totals, high: from.High, made: from.Made, inEDT: from.InEDT,
			ring: ring{records: from.Records, next: len(from.Records), lost: from.Lost},
		})
	}
}
