package edt

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/rank"
)

// A shutdown is how the ranks of a run come to its end together. A rank on which the run is ended sends END to rank 0,
// which sends STOP to all others, as it does when the run is over by itself. Each rank then ends the EDTs that it runs,
// and handles what arrives, but begins none. When all ranks are passive again and nothing is on its way (see waves)
// rank 0 sends FINISH, and each of the others answers with its REPORT. All control messages go along a tree.
//
// Concurrency: the courier lock.
type shutdown struct {
	waves    waves
	probe    uint64 // not 0: the wave that asks this rank
	stopping bool   // rank 0 has sent STOP
	leaving  bool   // the host has stopped
	finished bool   // nothing is on its way any more
	told     int    // how much rank 0 knows of how the run was ended here
	reports  []report

	postponed atomic.Bool // a wave; any goroutine loads it
}

// A report is what a rank sends rank 0 about the run that has ended.
type report struct {
	Counters Counters
	Leaks    []Leak
	Stuck    *StuckError
	Awaited  []awaited
	Sent     []rank.Traffic
	Host     []byte
	From     int
}

// An awaited slot is one on another rank that waits for an event here.
type awaited struct {
	EDT   guid.GUID
	Slot  int
	Lacks string // what that is
}

// reports yields what the other ranks have told rank 0.
func (g *Graph) reports() func(yield func(*report) bool) {
	return func(yield func(*report) bool) {
		if g.away == nil || g.away.me != 0 {
			return
		}
		for k := range g.away.shutdown.reports {
			if !yield(&g.away.shutdown.reports[k]) {
				return
			}
		}
	}
}

// control takes a message that says how the run goes on.
func (r *away) control(c *Ctx, from int, m *rank.Message) {
	p := &r.shutdown
	switch m.Kind {
	case msgProbe:
		r.sendDown(m)
		p.probe = m.Words[0]
		p.waves.begin(len(r.children()), 0, 0)
	case msgCounts:
		p.waves.count(m.Words[1], m.Words[2])
	case msgEnd:
		if r.me != 0 {
			r.sendUp(m)
			return
		}
		c.g.end.take(m.Tail)
		r.stopAll()
		c.stopRun(nil)
	case msgStop:
		r.stopAll()
		c.stopRun(nil)
	case msgFinish:
		r.finish()
	case msgReport:
		var told []report
		if err := json.Unmarshal(m.Tail, &told); err != nil {
			panic(err) // both are of one program
		}
		p.reports = append(p.reports, told...)
	}
}

// stopAll sends STOP to the ranks below this one. The caller holds the courier lock.
func (r *away) stopAll() {
	if p := &r.shutdown; !p.stopping {
		p.stopping = true
		r.sendDown(&rank.Message{Kind: msgStop})
	}
}

// finish sends FINISH to the ranks below this one. The caller holds the courier lock.
func (r *away) finish() {
	r.shutdown.finished = true
	r.sendDown(&rank.Message{Kind: msgFinish})
}

// Leave takes the graph out of the run, after its host has stopped and every worker has ended: it goes on with that,
// and reports whether it is done. The host calls it again, and waits in between for mail. After that the graph of rank
// 0 speaks for all: [Graph.Ended], [Graph.Counters], [Graph.Leaks] and [Graph.Stuck].
func (g *Graph) Leave() (done bool) {
	r := g.away
	if r == nil {
		return true
	}
	b := g.mail
	if !b.courier.take() {
		return false
	}
	defer b.courier.leave()
	p := &r.shutdown
	if !p.leaving {
		p.leaving = true
		if r.me == 0 {
			r.stopAll()
		} else {
			r.sendEnd(g)
		}
	}
	g.pollHeld(noHost{}, receiveBatch)
	if !p.finished && !r.Held() && r.isOver() {
		r.finish()
	}
	if !p.finished || len(p.reports) < below(r.me, r.size) || r.me == 0 {
		return p.finished && len(p.reports) == r.size-1
	}
	r.sendEnd(g)
	leaks := g.leaksOnRank(g.leaksHere())
	tail, err := json.Marshal(append(p.reports, report{
		g.countersHere(), sortLeaks(leaks), g.stuckHere(), g.awaitedElsewhere(), r.sent(), r.hostReport(), r.me,
	}))
	if err != nil {
		panic(err) // it is plain data
	}
	r.sendUp(&rank.Message{Kind: msgReport, Tail: tail})
	return true
}

func (r *away) hostReport() []byte {
	if r.config.Report == nil {
		return nil
	}
	return r.config.Report()
}

// A RankReport is for hosts: what one rank has had of a run.
type RankReport struct {
	Counters Counters
	Sent     []rank.Traffic // by rank, or the sum of all if there are more than [PairedRanks]
	Host     []byte         // of [Ranks.Report]
}

// RankReports returns the reports of all ranks, after rank 0 has left the run. With one rank there are none.
func (g *Graph) RankReports() []RankReport {
	r := g.away
	if r == nil {
		return nil
	}
	all := make([]RankReport, r.size)
	all[r.me] = RankReport{g.countersHere(), r.sent(), r.hostReport()}
	for k := range g.reports() {
		all[k.From] = RankReport{k.Counters, k.Sent, k.Host}
	}
	return all
}

// sendEnd reports to rank 0 how the run was ended here, if it was. A failure may come after that: a misuse is found
// when the call's message arrives.
func (r *away) sendEnd(g *Graph) {
	e := &g.end
	e.mu.Lock()
	defer e.mu.Unlock()
	known := len(e.failures)
	if e.called {
		known++
	}
	if known > r.shutdown.told {
		r.shutdown.told = known
		r.sendUp(&rank.Message{Kind: msgEnd, Tail: e.encode()})
	}
}

// An endText is an ending on its way to rank 0.
type endText struct {
	Called   bool
	Abort    *AbortError
	Failures []failureText
}

// A failureText is one failure: a misuse, a panic with its value, or a program's error.
type failureText struct {
	Misuse *Error
	Panic  *PanicError
	Fail   *FailError
	Value  remoteFailure
}

func (e *ending) encode() []byte {
	text := endText{Called: e.called}
	text.Abort, _ = e.abort.(*AbortError)
	for _, err := range e.failures {
		text.Failures = append(text.Failures, textOf(err))
	}
	tail, err := json.Marshal(text)
	if err != nil {
		panic(err) // it is plain data
	}
	return tail
}

// textOf is a failure without what only its own process knows.
func textOf(err error) (f failureText) {
	switch err := err.(type) {
	case *Error:
		copied := *err
		f.Value, copied.Cause = failureOf(err.Cause), nil
		f.Misuse = &copied
	case *PanicError:
		copied := *err
		f.Value, copied.Value = failureOf(err.Value), nil
		f.Panic = &copied
	case *FailError:
		copied := *err
		f.Value, copied.Err = failureOf(err.Err), nil
		f.Fail = &copied
	default:
		f.Value = failureOf(err)
	}
	return f
}

// A remoteFailure is the text of an error, or of a panic's value, of another rank, and the error of this package that
// it wraps.
type remoteFailure struct {
	Text      string
	Condition int // 1 + its index, 0 for none
	Code      Code
}

func failureOf(v any) remoteFailure {
	f := remoteFailure{Text: fmt.Sprint(v)}
	if err, ok := v.(error); ok {
		var condition *Condition
		if errors.As(err, &condition) {
			f.Condition = 1 + slices.Index(conditions, condition)
		}
		errors.As(err, &f.Code)
	}
	return f
}

func (f remoteFailure) Error() string { return f.Text }

// Unwrap returns the condition or the code, nil for neither.
func (f remoteFailure) Unwrap() error {
	switch {
	case f.Condition > 0:
		return conditions[f.Condition-1]
	case f.Code != 0:
		return f.Code
	}
	return nil
}

// take takes how another rank has ended the run, as encode has put it. The first counts, as everywhere.
func (e *ending) take(tail []byte) {
	var text endText
	if err := json.Unmarshal(tail, &text); err != nil {
		panic(err) // both are of one program
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if text.Called && !e.called {
		e.called = true
		if text.Abort != nil {
			e.abort = text.Abort
		}
	}
	if len(e.failures) > 0 {
		return
	}
	e.in = guid.Error
	for _, f := range text.Failures {
		e.failures = append(e.failures, f.failure())
	}
}

func (f *failureText) failure() error {
	switch {
	case f.Misuse != nil:
		f.Misuse.Cause = conditions[f.Value.Condition-1]
		return f.Misuse
	case f.Panic != nil:
		if f.Panic.Value = f.Value; f.Value.Unwrap() == nil {
			f.Panic.Value = f.Value.Text
		}
		return f.Panic
	case f.Fail != nil:
		f.Fail.Err = f.Value
		return f.Fail
	}
	return f.Value
}

// leaksOnRank names this rank in what is left here, without names that were never given to an event: their homes have
// counted them.
func (g *Graph) leaksOnRank(here map[Leak]int) map[Leak]int {
	count := make(map[Leak]int)
	for l, n := range here {
		l.On = rankName(g.away.me)
		count[l] = n
	}
	g.away.names.leaveOut(count)
	return count
}

// joinLeaks returns what is left on all ranks.
func (g *Graph) joinLeaks(here map[Leak]int) map[Leak]int {
	count := g.leaksOnRank(here)
	for k := range g.reports() {
		for _, l := range k.Leaks {
			n := l.Count
			l.Count = 0
			count[l] += n
		}
	}
	return count
}

// joinStuck adds the EDTs that wait on the other ranks, and says of all for what they wait on another rank.
func (g *Graph) joinStuck(all *StuckError) *StuckError {
	var elsewhere []awaited
	for k := range g.reports() {
		elsewhere = append(elsewhere, k.Awaited...)
		if e := k.Stuck; e != nil && all == nil {
			all = e
		} else if e != nil {
			all.Count += e.Count
			all.Waiting = append(all.Waiting, e.Waiting[:min(len(e.Waiting), stuckShown-len(all.Waiting))]...)
		}
	}
	if all != nil {
		joinWaits(all.Waiting, append(elsewhere, g.awaitedElsewhere()...))
	}
	return all
}
