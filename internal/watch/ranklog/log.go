package ranklog

import (
	"sync"

	"ocr/edt"
	"ocr/internal/core/sys"
)

// MaxBytes bounds the records of a rank.
const MaxBytes = 256 << 20

// A Log has the recorded calls of the observers of one rank; on rank 0, after the run, those of all ranks.
//
// Concurrency: everything is under mu. Replay comes after the run.
type Log struct {
	me      int
	workers int // of a rank
	sites   bool
	limit   int

	mu      sync.Mutex
	moment  uint64 // of the latest record, or received
	cut     bool   // limit was reached
	records coder
	parts   [][]byte // by rank; nil if it was lost
}

// New makes the log of a worker's rank. If sites is set it has the lines of calls, and the records that only check mode
// needs.
func New(w *edt.Worker, sites bool) *Log {
	me, ranks := w.Rank()
	return newLog(me, ranks, w.Observed()-1, sites)
}

func newLog(me, ranks, workers int, sites bool) *Log {
	return &Log{me: me, workers: workers, sites: sites, limit: MaxBytes, parts: make([][]byte, ranks),
		records: coder{texts: make(map[string]int)}}
}

// Me returns this rank.
func (l *Log) Me() int { return l.me }

// RankOf returns the rank of the worker with this number.
func (l *Log) RankOf(worker int) int { return worker / l.workers }

// tick returns the next moment. The caller has the lock.
func (l *Log) tick() uint64 {
	l.moment = max(l.moment+1, uint64(sys.MachineTime()))
	return l.moment
}

// heard advances the clock to the moment of a message.
func (l *Log) heard(moment uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moment = max(l.moment, moment)
}

// add adds a record, and returns its moment.
func (l *Log) add(r *Record) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Moment = l.tick()
	if l.cut {
		return r.Moment
	}
	if len(l.records.bytes) >= l.limit {
		l.cut = true
		r = &Record{Moment: r.Moment, kind: cutHere}
	}
	r.code(&l.records)
	return r.Moment
}

// Lost returns the ranks without a log.
func (l *Log) Lost() (all []int) {
	for k, part := range l.parts {
		if part == nil && k != l.me {
			all = append(all, k)
		}
	}
	return all
}

// Replay reports the records of all ranks, in order, to a reader for each worker: newReader gets its number among the
// workers of all ranks, without couriers. It stops and returns true at the point where a rank has reached MaxBytes.
func (l *Log) Replay(newReader func(worker int) Reader) (cut bool) {
	readers := make(map[int]Reader)
	l.parts[l.me] = l.records.bytes
	var all []*reader
	for k, part := range l.parts {
		if r := (&reader{log: l, rank: k, records: coder{bytes: part, reads: true}}); r.next() {
			all = append(all, r)
		}
	}
	for len(all) > 0 {
		first := 0
		for k, r := range all {
			if r.now.Moment < all[first].now.Moment {
				first = k
			}
		}
		r := all[first]
		if r.now.kind == cutHere {
			return true
		}
		o := readers[r.now.Worker]
		if o == nil {
			o = newReader(r.now.Worker - r.rank)
			readers[r.now.Worker] = o
		}
		r.now.tell(o)
		if !r.next() {
			all = append(all[:first], all[first+1:]...)
		}
	}
	return false
}

// A reader reads the records of a rank.
type reader struct {
	log     *Log
	rank    int
	records coder
	now     Record
}

// next reads the next record, and reports whether there is one.
func (r *reader) next() bool {
	if len(r.records.bytes) == 0 {
		return false
	}
	r.now = Record{Rank: r.rank}
	r.now.code(&r.records)
	r.now.Worker += r.rank * (r.log.workers + 1)
	return true
}
