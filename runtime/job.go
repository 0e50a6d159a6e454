package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/internal/block"
	"ocr/internal/ids"
	link "ocr/internal/rank"
	"ocr/internal/rank/job"
	"ocr/internal/rank/local"
	"ocr/internal/rank/mpi"
	rings "ocr/internal/rank/ring"
)

// MaxRanks is the largest number of ranks of a job.
const MaxRanks = rings.MaxRanks

// Ranks runs the program on n processes of this machine, its ranks: this one is rank 0, and n-1 others are
// started and ended with the run, or by [New] and [Pool.Close]. Each rank has as many workers as [Workers]
// says, its part of the processors, and its part of the memory for data blocks. Ranks(1) is a run without
// ranks; several need Linux.
//
// The other ranks are the same program with the same arguments. In each of them main begins as it does here,
// and the first [Run] or [New] that is given Ranks, or [StartJob] or [ServeIfRank], takes its part in the runs
// of rank 0, and ends the process when rank 0 has done with it. So what a program does before that is done in
// each rank, and what comes after it on rank 0 alone. The options of a run are those of rank 0; of its own a
// rank has [Logger], [AtEnd], [Into] and [Inspect].
//
// An EDT that is made on another rank needs a template that is registered ([edt.NewTemplate]), in the same
// order on all ranks: best as a variable of a package. Bodies share no variables with those on other ranks.
//
// If mpirun or srun has started the processes, on one machine or on several, those are the ranks: n is their
// number, and there is one job. The program is built with -tags mpi then.
//
// What other ranks write comes out at rank 0, each line with the rank in front, as in "[1] text"; they have no
// input. Signals of a terminal reach rank 0 alone, and the exit code is that of rank 0.
//
// Not with Ranks: [Observe] but for that of an [ObserverKind]. docs/ranks.md has what else differs.
func Ranks(n int) Option { return func(s *settings) { s.numRanks, s.job = n, nil } }

// A Job is processes that run programs together: for a program that runs many, with different options.
// [StartJob] makes one.
type Job struct {
	ranks  int
	engine link.Engine
	name   string        // of the kind of engine
	shared *block.Shared // nil if blocks are lent
	lends  string        // why they are, "" if that is not worth a word
	end    func() error  // when the ranks have been told to end
	kill   func() error  // ends ranks that do not serve, or are amid a run that is given up; nil if they are not this one's to kill
	serves bool          // all ranks have been ready once; the turn's
	turn   chan struct{} // has something while no run is on
	team   atomic.Pointer[team]
	closed atomic.Bool
}

// StartJob starts n-1 processes that take part in the runs that are given [Job.Option], see [Ranks]. In one
// of those processes it does not return. The error is an [*OptionError].
func StartJob(n int) (*Job, error) {
	ServeIfRank()
	return startJob(n)
}

// jobTimes has the times after which a rank that does not answer is told about, and lost. Tests shorten them.
var jobTimes job.Config

func startJob(n int) (*Job, error) {
	if err := checkRanks(n); err != nil {
		return nil, err
	}
	j := &Job{ranks: n, turn: make(chan struct{}, 1)}
	j.turn <- struct{}{}
	if n == 1 {
		return j, nil
	}
	if mpi.Ranks() > 1 {
		started, err := mpi.Join(block.AreaBytes(n))
		if err != nil {
			return nil, ranksError(n, err.Error())
		}
		j.engine, j.name, j.end = started.Engine, started.Name, started.Close
		j.use(started.Memory)
		return j, nil
	}
	config := jobTimes
	config.Ranks, config.Area = n, block.AreaBytes(n)
	started, err := job.Start(config)
	if err != nil {
		return nil, ranksError(n, err.Error())
	}
	j.engine, j.name, j.end, j.kill = started.Engine(), "ring", started.Close, started.Kill
	j.use(started.Memory())
	return j, nil
}

// use has blocks in place if the ranks have memory for that.
func (j *Job) use(m *local.Memory) {
	if j.shared = sharedIn(m.Area, j.engine); m.Err != nil {
		j.lends = fmt.Sprintf("ranks send each other the bytes of data blocks, as they have no memory in common for them: %v", m.Err)
	}
}

// sharedIn is the blocks of all ranks in an area, nil if there is none.
func sharedIn(area []byte, e link.Engine) *block.Shared {
	if area == nil {
		return nil
	}
	return block.NewSharedIn(area, e.Size(), e.Rank())
}

func ranksError(n int, problem string) error {
	return &OptionError{fmt.Sprintf("Ranks(%d)", n), problem}
}

// checkRanks reports what cannot be had over several ranks.
func (s *settings) checkRanks() error {
	if err := checkRanks(s.numRanks); err != nil || s.numRanks == 1 {
		return err
	}
	if _, _, bound := mpi.Local(); bound && len(s.cpus) == 1 && s.workers > 1 {
		return &OptionError{fmt.Sprintf("Workers(%d)", s.workers), fmt.Sprintf("this rank was bound to processor %d: start it with mpirun --bind-to none", s.cpus[0])}
	}
	if s.seesOneRank() {
		return &OptionError{"Observe", "not with Ranks: it would see what one rank does; traces, statistics and drawings of package observe can be had"}
	}
	return nil
}

func checkRanks(n int) error {
	switch {
	case n < 1 || n > MaxRanks:
		return ranksError(n, fmt.Sprintf("want 1 to %d", MaxRanks))
	case n > 1 && mpi.Ranks() > 1 && n != mpi.Ranks():
		return ranksError(n, fmt.Sprintf("want 1 or %d, the processes that were started", mpi.Ranks()))
	case n > 1 && goruntime.GOOS != "linux":
		return ranksError(n, "several ranks need Linux")
	}
	return nil
}

// Option has a run, or a pool, use the processes of the job. Runs on one job come one after the other.
func (j *Job) Option() Option {
	if !j.made() {
		return func(s *settings) { s.refuse("Job.Option()", notMade) }
	}
	return func(s *settings) { s.numRanks, s.job = j.ranks, j }
}

// made reports whether StartJob has made the job.
func (j *Job) made() bool { return j != nil && j.turn != nil }

const notMade = "the job is nil or zero: StartJob makes one"

// Direct reports whether EDTs of several ranks can have a data block at the same time, as those of one can: its bytes are in
// place for all ranks. Else blocks travel.
func (j *Job) Direct() bool { return j != nil && j.shared != nil }

// Close ends the processes, after the run that is on. The error, a [*RankLostError], says that one has ended in another way.
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

// abandon ends a job in the midst of a run, which no rank can leave in order.
func (j *Job) abandon() {
	j.closed.Store(true)
	if j.kill != nil {
		_ = j.kill()
	}
}

// What the hosts of a job say to each other. START goes to each rank before a run, and is answered by READY; OVER ends the job.
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

// checkBody reports that the run that is on the job waits for the caller.
func (j *Job) checkBody() error {
	if on := j.team.Load(); on != nil {
		if why := on.whyInside(); why != "" {
			return ranksError(j.ranks, why)
		}
	}
	return nil
}

// take waits for the turn of a team's run.
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
	return nil
}

func (j *Job) giveBack() {
	j.team.Store(nil)
	j.turn <- struct{}{}
}

// How often rank 0 looks whether the first run was cancelled, and how long it waits then for ranks that do not serve yet.
const (
	startLook  = 10 * time.Millisecond
	startGrace = 200 * time.Millisecond
)

// begin tells the other ranks of a run and waits until they are ready. It returns what this rank's graph needs of them, and why the run must not
// begin, nil if it may: it then ends as any other, but main does not run. The other error is that of a lost rank, or of a cancelled run before which
// some have not come to serve: then the job is over.
func (j *Job) begin(ctx context.Context, s *settings) (r *edt.Ranks, refusal, err error) {
	r = &edt.Ranks{Engine: j.engine, Run: ids.NewRun(), Shared: j.shared}
	for k := 1; k < j.ranks; k++ {
		j.engine.Send(k, &link.Message{Kind: msgStart, Tail: plainData(s.startOf(k, r.Run))})
	}
	var cancelled time.Time
	for missing := j.ranks - 1; missing > 0; {
		n := j.engine.Poll(1, func(from int, m *link.Message) bool {
			if m.Kind != msgReady {
				return false // of another rank's graph, for this one's
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
			_ = j.kill() // no rank can be lost by that
			return nil, nil, cancellation(context.Cause(ctx))
		default:
			j.engine.Sleep(startLook)
		}
	}
	j.serves = true
	switch r.Window, err = openWindow(j.engine, j.shared, s.window); {
	case j.engine.Err() != nil:
		return nil, nil, j.engine.Err()
	case err != nil:
		refusal = cmp.Or(refusal, ranksError(j.ranks, err.Error()))
	}
	return r, refusal, nil
}

// plainData encodes plain data on its way to another rank.
func plainData(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// A ready is what a rank answers to START.
type ready struct {
	Build     string
	Templates []string // if they are not those of rank 0
}

// refusal says why a rank cannot take part, nil if it can.
func (j *Job) refusal(from int, tail []byte) error {
	if len(tail) == 0 {
		return nil
	}
	var told ready
	if err := json.Unmarshal(tail, &told); err != nil {
		panic(err) // both are of one program
	}
	if own := build(); told.Build != own {
		return ranksError(j.ranks, fmt.Sprintf("rank %d is another build of the program: %s, not %s", from, told.Build, own))
	}
	own := edt.RegisteredTemplates()
	k := 0
	for k < len(own) && k < len(told.Templates) && own[k] == told.Templates[k] {
		k++
	}
	return ranksError(j.ranks, fmt.Sprintf("rank %d has registered other templates: the first that differs, number %d, is %s, and on rank 0 %s",
		from, k, nth(told.Templates, k), nth(own, k))+"; a program registers its templates before its first run with Ranks, and all ranks the same")
}

func nth(templates []string, k int) string {
	if k >= len(templates) {
		return "missing"
	}
	return templates[k]
}
