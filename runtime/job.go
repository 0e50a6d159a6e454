package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/internal/core/ids"
	link "ocr/internal/rank"
	"ocr/internal/rank/job"
	"ocr/internal/rank/mpi"
	rings "ocr/internal/rank/ring"
)

// MaxRanks returns the largest number of ranks of a job: 256, and 4096 if mpirun or srun has started the processes, of
// which those of one machine that share memory are at most 256.
func MaxRanks() int {
	if mpi.Ranks() > 1 {
		return mpi.MaxRanks
	}
	return rings.MaxRanks
}

// Ranks runs the program on n processes of this machine, its ranks: this one is rank 0, and n-1 others are
// started and ended with the run, or by [New] and [Pool.Close]. Each rank has as many workers as [Workers]
// says, its part of the processors, and its part of the memory for data blocks. Ranks(1) is a run without
// ranks; several need Linux.
//
// The other ranks are the same program with the same arguments. Each of them executes main up to the first [Run] or
// [New] with Ranks, [StartJob] or [ServeIfRank]. That call executes the rank's part of the runs of rank 0, and ends the
// process when rank 0 ends the job. So code before that call is executed on each rank, code after it on rank 0 only. A
// run has the options of rank 0; [Logger], [AtEnd], [Into] and [Watchdog] are each rank's own.
//
// An EDT that is created on another rank needs a registered template ([edt.NewTemplate]). All ranks register templates
// in the same order: best as variables of a package. Bodies share no variables with those on other ranks: there package
// variables have what code before that first call has written, in a second run as well, whatever rank 0 has written
// since. What a body needs comes in parameters and data blocks. Bodies cannot start ranks, and tests of programs with
// Ranks need a TestMain that calls [ServeIfRank]: else the run ends with an [*OptionError].
//
// A rank that exits or crashes is lost, as is one that does not answer for 30 s, or has not come to that first call
// after 60 s: the run ends with a [*RankLostError].
//
// If mpirun or srun has started the processes, on one machine or several, those are the ranks: n is their number, and
// there is one job. This needs a program built with -tags mpi.
//
// Rank 0 prints the output of the other ranks, each line behind its rank, as in "[1] text"; they have no input. Signals
// of a terminal reach rank 0 only, and the exit code is that of rank 0.
//
// Calls are in order as on one rank, but for two cases, in which a late one is ErrStale or ErrDestroyed, or comes in
// another order: what an event passes on to another rank may come after the next call of the EDT that has satisfied it,
// and what an EDT in mode RO sees of another's writes orders no calls.
//
// [Check] and [Observe] cannot be used with Ranks, but an [ObserverKind] can. docs/ranks.md has what else differs.
func Ranks(n int) Option { return func(s *settings) { s.numRanks, s.job = n, nil } }

// A Job is a set of processes that run programs together: for a process that runs many programs over ranks, with
// different options. [StartJob] makes one.
type Job struct {
	ranks  int
	engine link.Engine
	name   string       // of the kind of engine
	end    func() error // waits for the end of the ranks, after OVER
	// kill ends ranks that do not serve, or are in a run that is given up; nil if another process started them.
	kill   func() error
	serves bool          // all ranks have been ready once; its holder's is the turn
	turn   chan struct{} // holds a token while no run is on
	team   atomic.Pointer[team]
	closed atomic.Bool
}

// StartJob starts n-1 processes that take part in the runs with [Job.Option], see [Ranks]. In those processes it does
// not return. The error is an [*OptionError].
func StartJob(n int) (*Job, error) {
	if err := serveIfRank(n, resolve(nil)); err != nil {
		return nil, err
	}
	return startJob(n)
}

// jobTimes has the times after which a rank that does not answer is reported, and counts as lost. Tests shorten them.
var jobTimes job.Config

func startJob(n int) (*Job, error) {
	if err := cmp.Or(checkRanks(n), checkBodies(n)); err != nil {
		return nil, err
	}
	j := &Job{ranks: n, turn: make(chan struct{}, 1)}
	j.turn <- struct{}{}
	if n == 1 {
		return j, nil
	}
	if mpi.Ranks() > 1 {
		started, err := mpi.Join()
		if err != nil {
			return nil, ranksError(n, err.Error())
		}
		j.engine, j.name, j.end = link.Passed(started.Engine), started.Name, started.Close
		return j, nil
	}
	config := jobTimes
	config.Ranks = n
	started, err := job.Start(config)
	if err != nil {
		return nil, ranksError(n, err.Error())
	}
	j.engine, j.name, j.end, j.kill = link.Passed(started.Engine()), "ring", started.Close, started.Kill
	return j, nil
}

func ranksError(n int, problem string) error {
	return &OptionError{fmt.Sprintf("Ranks(%d)", n), problem}
}

// checkRanks refuses options that cannot be used over several ranks.
func (s *settings) checkRanks() error {
	if err := checkRanks(s.numRanks); err != nil || s.numRanks == 1 {
		return err
	}
	if _, _, bound := mpi.Local(); bound && len(s.cpus) == 1 && s.workers > 1 {
		return &OptionError{fmt.Sprintf("Workers(%d)", s.workers), fmt.Sprintf(
			"this rank was bound to processor %d: start it with mpirun --bind-to none", s.cpus[0])}
	}
	if s.checked {
		return &OptionError{"Check",
			"not with Ranks: a program that is right on one rank is right on several: check it on one"}
	}
	if s.seesOneRank() {
		return &OptionError{"Observe", "not with Ranks: it would see what one rank does; observe.Trace has a trace of each"}
	}
	return nil
}

func checkRanks(n int) error {
	switch {
	case n < 1 || n > MaxRanks():
		return ranksError(n, fmt.Sprintf("want 1 to %d", MaxRanks()))
	case n > 1 && mpi.Ranks() > 1 && n != mpi.Ranks():
		return ranksError(n, fmt.Sprintf("want 1 or %d, the processes that were started", mpi.Ranks()))
	case n > 1 && goruntime.GOOS != "linux":
		return ranksError(n, "several ranks need Linux")
	}
	return nil
}

// Option makes a run, or a pool, use the processes of the job. Runs on one job come one after the other.
func (j *Job) Option() Option {
	if !j.made() {
		return func(s *settings) { s.refuse("Job.Option()", notMade) }
	}
	return func(s *settings) { s.numRanks, s.job = j.ranks, j }
}

// made reports whether StartJob has made the job.
func (j *Job) made() bool { return j != nil && j.turn != nil }

const notMade = "the job is nil or zero: StartJob makes one"

// Direct reports whether EDTs of several ranks can have a data block at the same time, as those of one rank can: its
// bytes are in memory that all ranks share. Else a rank gets a copy of the block while its EDTs have it.
func (j *Job) Direct() bool { return j != nil && j.ranks == 1 }

// Close ends the processes, after the run that is on. The error is a [*RankLostError] if one was lost before.
func (j *Job) Close() error {
	if !j.made() {
		return &OptionError{"Job.Close()", notMade}
	}
	if err := j.checkBody(); err != nil {
		return err
	}
	<-j.turn
	defer func() { j.turn <- struct{}{} }()
	if j.closed.Swap(true) || j.engine == nil {
		return nil
	}
	if !j.serves && j.kill != nil {
		return lossOf(j.kill())
	}
	j.tell(msgOver, nil)
	return lossOf(j.end())
}

// abandon ends a job during a run that other ranks have begun and cannot end.
func (j *Job) abandon() {
	j.closed.Store(true)
	if j.kill != nil {
		_ = j.kill()
	}
}

// Messages between the hosts of a job. Rank 0 sends START to each rank before a run; it answers READY. OVER ends the
// job.
const (
	msgStart uint8 = link.HostKinds + iota
	msgReady
	msgOver
)

func (j *Job) tell(kind uint8, tail []byte) {
	for k := 1; k < j.ranks; k++ {
		j.engine.Send(k, &link.Message{Kind: kind, Tail: tail})
	}
}

// checkBody returns an error if the run that is on waits for the caller.
func (j *Job) checkBody() error {
	if on := j.team.Load(); on != nil {
		if why := on.whyInside(); why != "" {
			return ranksError(j.ranks, why)
		}
	}
	return nil
}

// openJobs are the jobs of several ranks whose runs are on.
var openJobs sync.Map

// checkBodies returns an error if the caller is in a body of a run over ranks.
func checkBodies(n int) (err error) {
	openJobs.Range(func(j, _ any) bool {
		if on := j.(*Job).team.Load(); on != nil && on.onWorker() {
			err = ranksError(n, inBody)
		}
		return err == nil
	})
	return err
}

// take waits until a team's run may begin.
func (j *Job) take(ctx context.Context, t *team) error {
	if err := j.checkBody(); err != nil {
		return err
	}
	select {
	case <-j.turn:
	case <-ctx.Done():
		return cancellation(context.Cause(ctx))
	}
	if j.closed.Load() {
		j.turn <- struct{}{}
		return ranksError(j.ranks, "the job is closed")
	}
	j.team.Store(t)
	openJobs.Store(j, nil)
	return nil
}

func (j *Job) giveBack() {
	openJobs.Delete(j)
	j.team.Store(nil)
	j.turn <- struct{}{}
}

// How often rank 0 checks whether the first run was cancelled, and how long it then waits for ranks that do not serve
// yet.
const (
	startLook  = 10 * time.Millisecond
	startGrace = 200 * time.Millisecond
)

// begin sends START to the other ranks and waits until they are ready. r is what this rank's graph needs. If refusal is
// not nil the run begins and ends on all ranks, but main does not run. err is the loss of a rank, or a cancellation
// before all ranks served their first run: then the job is over.
func (j *Job) begin(ctx context.Context, s *settings) (r *edt.Ranks, refusal, err error) {
	r = &edt.Ranks{Engine: j.engine, Run: ids.NewRun(), Patience: patience}
	for k := 1; k < j.ranks; k++ {
		j.engine.Send(k, &link.Message{Kind: msgStart, Tail: plainData(s.startOf(k, r.Run))})
	}
	var cancelled time.Time
	for missing := j.ranks - 1; missing > 0; {
		n := j.engine.Poll(1, func(from int, m *link.Message) bool {
			if m.Kind != msgReady {
				return false // from another rank's graph to this one's
			}
			if refusal == nil {
				refusal = j.refusal(from, m.Tail)
			}
			return true
		})
		missing -= n
		switch {
		case n > 0:
		case j.engine.Err() != nil:
			return nil, nil, j.engine.Err()
		case !j.serves && j.kill != nil && cancelled.IsZero() && ctx.Err() != nil:
			cancelled = time.Now()
		case !cancelled.IsZero() && time.Since(cancelled) > startGrace:
			j.closed.Store(true)
			_ = j.kill() // ends ranks, so it has no loss to report
			return nil, nil, cancellation(context.Cause(ctx))
		default:
			j.engine.Sleep(startLook)
		}
	}
	j.serves = true
	switch r.Window, err = openWindow(j.engine, s.window); {
	case j.engine.Err() != nil:
		return nil, nil, j.engine.Err()
	case err != nil:
		refusal = cmp.Or(refusal, ranksError(j.ranks, err.Error()))
	}
	return r, refusal, nil
}

// plainData encodes a struct for another rank.
func plainData(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// A ready is the contents of READY.
type ready struct {
	Build     string
	Templates []string // if they differ from those of rank 0
}

// refusal says why a rank cannot take part, nil if it can.
func (j *Job) refusal(from int, tail []byte) error {
	if len(tail) == 0 {
		return nil
	}
	var r ready
	if err := json.Unmarshal(tail, &r); err != nil {
		panic(err) // both are of one program
	}
	if own := build(); r.Build != own {
		return ranksError(j.ranks,
			fmt.Sprintf("rank %d is another build of the program: %s, not %s", from, r.Build, own))
	}
	own := edt.RegisteredTemplates()
	k := 0
	for k < len(own) && k < len(r.Templates) && own[k] == r.Templates[k] {
		k++
	}
	return ranksError(j.ranks, fmt.Sprintf("rank %d has registered other templates: "+
		"the first that differs, number %d, is %s, and on rank 0 %s; "+
		"a program registers its templates before its first run with Ranks, and all ranks the same",
		from, k, nth(r.Templates, k), nth(own, k)))
}

func nth(templates []string, k int) string {
	if k >= len(templates) {
		return "missing"
	}
	return templates[k]
}
