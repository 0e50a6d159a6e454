package remote

import (
	"sync/atomic"

	"ocr/edt"
	"ocr/internal/rank"
)

// A shutdown is the state of the end of a run, at which all ranks arrive together. A rank on which the run is ended
// sends END to rank 0. Rank 0 then sends STOP to all others, as it does when the run is over by itself. Each rank lets
// the EDTs that run end, begins none, and handles the messages that arrive. When all ranks are passive again and no
// message is on its way (see waves), rank 0 sends FINISH, and each other rank answers with REPORT. All control messages
// go along a tree.
//
// Concurrency: the courier lock.
type shutdown struct {
	waves    waves
	probe    uint64 // the wave that waits for the counts of this rank, 0 for none
	stopping bool   // rank 0 has sent STOP
	leaving  bool   // the host has called Leave
	finished bool   // no message is on its way
	told     int    // how many ends and failures of this rank END has reported
	reports  []RankReport

	postponed atomic.Bool // rank 0 waits before the next wave; any goroutine loads it
}

// A RankReport is what a rank sends rank 0 about the run that has ended.
type RankReport struct {
	edt.RemoteReport
	Host []byte // of [Config.Report]
	From int    // the rank
}

// control handles a control message.
func (p *Part) control(m *rank.Message) {
	s := &p.shutdown
	switch m.Kind {
	case msgProbe:
		p.sendDown(m)
		s.probe = m.Words[0]
		s.waves.begin(len(p.children()), 0, 0)
	case msgCounts:
		s.waves.count(m.Words[1], m.Words[2])
	case msgEnd:
		if p.me != 0 {
			p.sendUp(m)
			return
		}
		p.takeEnd(m.Tail)
		p.stopAll()
		p.courier.Stop()
	case msgStop:
		p.stopAll()
		p.courier.Stop()
	case msgFinish:
		p.finish()
	case msgReport:
		var told []RankReport
		rank.Decode(m.Tail, &told)
		s.reports = append(s.reports, told...)
	}
}

// stopAll sends STOP to the ranks below this one. The caller holds the courier lock.
func (p *Part) stopAll() {
	if s := &p.shutdown; !s.stopping {
		s.stopping = true
		p.sendDown(&rank.Message{Kind: msgStop})
	}
}

// finish sends FINISH to the ranks below this one. The caller holds the courier lock.
func (p *Part) finish() {
	p.shutdown.finished = true
	p.sendDown(&rank.Message{Kind: msgFinish})
}

// TellEnd implements [edt.Remote].
func (p *Part) TellEnd() {
	if p.me == 0 {
		p.stopAll()
	} else {
		p.sendEnd()
	}
}

// Leave implements [edt.Remote].
func (p *Part) Leave() (done bool) {
	s := &p.shutdown
	if !s.leaving {
		s.leaving = true
		p.TellEnd()
	}
	p.Poll(batch)
	if !s.finished && !p.order.Held() && p.isOver() {
		p.finish()
	}
	if !s.finished || len(s.reports) < below(p.me, p.size) {
		return false
	}
	p.report()
	return true
}

// batch is the largest number of messages that Leave handles in one call.
const batch = 64

// report sends the report of this rank, and those of the ranks below it, up; rank 0 gives its graph the sum of all.
func (p *Part) report() {
	s, own := &p.shutdown, RankReport{RemoteReport: p.courier.Report(), From: p.me}
	own.Leaks = append(own.Leaks, p.unusedNames()...)
	if p.Report != nil {
		own.Host = p.Report()
	}
	s.reports = append([]RankReport{own}, s.reports...)
	if p.me != 0 {
		p.sendEnd()
		p.sendUp(&rank.Message{Kind: msgReport, Tail: rank.Encode(s.reports)})
		return
	}
	var all edt.RemoteReport
	for _, k := range s.reports {
		all.Add(k.RemoteReport)
	}
	p.courier.ReportAll(all)
}

// RankReports is for hosts: it returns the report of each rank, after rank 0 has left the run.
func (p *Part) RankReports() []RankReport {
	all := make([]RankReport, p.size)
	for _, k := range p.shutdown.reports {
		all[k.From] = k
	}
	return all
}
