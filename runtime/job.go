package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/ids"
	link "ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/internal/rank/remote"
)

// Ranks runs the program on n processes, its ranks, which mpirun or srun has started on one machine or several. Each
// rank has as many workers as [Workers] says, and its part of its machine's processors and of the memory for data
// blocks. Limits on threads, and the warning of a processor quota, count one rank. Ranks(1) is a run without ranks;
// more need a program that is built with -tags mpi.
//
// All ranks execute main up to the first [Run] or [New] with Ranks. On rank 0 this call returns as usual. On another
// rank it executes the rank's part of the runs of rank 0, and ends the process when rank 0 has no Run and no open pool
// over ranks left (see [Pool.Close]). Then no process can run over ranks again. So all ranks execute the code before
// the call, and rank 0 alone the code after it. A run has the options of rank 0, but each rank has its own [Logger],
// [AtEnd], [Into] and [Watchdog]. A rank other than 0 knows of its own failures only: if the run fails elsewhere, or is
// stuck or cancelled, its log and its trace show a run that ended.
//
// An EDT that is created on another rank needs a registered template ([edt.NewTemplate]). All ranks must register the
// same templates in the same order: best as variables of a package. Ranks share no variables. On ranks other than 0 a
// package's variables have the values from before the first call with Ranks: what rank 0 writes later does not reach
// them. So pass what a body needs in parameters and data blocks. Bodies cannot run programs over ranks.
//
// If a rank exits or crashes, mpirun says so and ends all ranks.
//
// Calls take effect in order as on one rank, but for two cases. What an event passes on to another rank may arrive
// after the next call of the EDT that satisfied the event. And if an EDT in mode RO reads what another EDT has just
// written, the reader's calls are not ordered behind the writer's. In these cases a late call may fail with ErrStale or
// ErrDestroyed, or take effect after a later one.
//
// [Check] and [Observe] cannot be used with Ranks, but an [ObserverKind] can. The README of ocr/internal/rank/remote
// has the other differences.
func Ranks(n int) Option { return func(s *settings) { s.numRanks = n } }

// A job is the processes that mpirun or srun has started. They take part in the runs of rank 0, one after the other.
//
// Concurrency: users is under jobs.mu.
type job struct {
	mpi    *mpi.Job
	engine link.Engine
	queue  queue       // of the runs of all pools
	users  int         // pools, and callers of link.Keep, that use the job
	inRun  atomic.Bool // from START until rank 0 leaves the run; if it never does, the other ranks wait in the run
}

// jobs.open is the job of this process, nil while it has no user.
var jobs struct {
	mu   sync.Mutex
	open *job
}

// openJob returns the job of this process for one more user. The first user starts MPI.
func openJob(n int) (*job, error) {
	jobs.mu.Lock()
	defer jobs.mu.Unlock()
	if jobs.open == nil {
		started, err := mpi.Join()
		if err != nil {
			return nil, ranksError(n, err.Error())
		}
		jobs.open = &job{mpi: started, engine: link.Passed(started.Engine)}
	}
	jobs.open.users++
	return jobs.open, nil
}

// release ends a use of the job. The last release ends the other ranks, unless they wait in a run.
func (j *job) release() {
	jobs.mu.Lock()
	j.users--
	last := j.users == 0
	if last {
		jobs.open = nil
	}
	jobs.mu.Unlock()
	if last && !j.inRun.Load() {
		j.tell(msgOver)
		j.mpi.Close()
	}
}

func init() {
	link.Keep = func(n int) (end func(), err error) {
		if err := cmp.Or(resolve([]Option{Ranks(n), Watchdog(Watch{})}).serveIfRank(), checkProcesses(n)); err != nil {
			return nil, err
		}
		j, err := openJob(n)
		if err != nil {
			return nil, err
		}
		return j.release, nil
	}
}

func ranksError(n int, problem string) error {
	return &OptionError{fmt.Sprintf("Ranks(%d)", n), problem}
}

// checkRanks refuses options that cannot be used over several ranks.
func (s *settings) checkRanks() error {
	switch n := s.numRanks; {
	case n < 1 || n > mpi.MaxRanks:
		return ranksError(n, fmt.Sprintf("want 1 to %d", mpi.MaxRanks))
	case n == 1:
		return nil
	}
	if err := checkBodies(s.numRanks); err != nil {
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
	if slices.ContainsFunc(s.observers, func(o observing) bool { return o.kind.name == "" }) {
		return &OptionError{"Observe", "not with Ranks: it would see what one rank does; observe.Trace has a trace of each"}
	}
	return nil
}

// checkProcesses returns an error if this process is not one of n ranks.
func checkProcesses(n int) error {
	if why := mpi.Refusal(n); n > 1 && why != "" {
		return ranksError(n, why)
	}
	return nil
}

// Messages between the ranks of a job outside of a run. Before a run rank 0 sends START to each other rank, which
// answers READY with the text of [start.refusal]. OVER ends the job.
const (
	msgStart uint8 = link.HostKinds + iota
	msgReady
	msgOver
)

func (j *job) tell(kind uint8) {
	for k := 1; k < j.engine.Size(); k++ {
		j.engine.Send(k, &link.Message{Kind: kind})
	}
}

// checkBodies returns an error if the caller is in a body of a run over ranks.
func checkBodies(n int) error {
	jobs.mu.Lock()
	defer jobs.mu.Unlock()
	if j := jobs.open; j != nil {
		if on := j.queue.on(); on != nil && on.onWorker() {
			return ranksError(n, inBody)
		}
	}
	return nil
}

// begin sends START to the other ranks and waits until all are ready. It returns rank 0's part of the run, for the
// graph. If refusal is not nil, the run begins and ends on all ranks, but main does not run. begin heeds no context: a
// rank that has got START takes part in the run.
func (j *job) begin(s *settings) (r *remote.Part, refusal error) {
	config := remote.Config{Engine: j.engine, Run: ids.NewRun(), Patience: patience}
	j.inRun.Store(true)
	for k := 1; k < j.engine.Size(); k++ {
		j.engine.Send(k, &link.Message{Kind: msgStart, Tail: link.Encode(s.startOf(config.Run))})
	}
	for missing := j.engine.Size() - 1; missing > 0; {
		n := j.engine.Poll(1, func(from int, m *link.Message) bool {
			if m.Kind != msgReady {
				return false // a message of another rank's graph to the graph of this rank
			}
			if why := string(m.Tail); why != "" && refusal == nil {
				refusal = ranksError(j.engine.Size(), fmt.Sprintf("rank %d %s", from, why))
			}
			return true
		})
		if missing -= n; n == 0 {
			j.engine.Sleep(time.Second)
		}
	}
	var err error
	if config.Window, err = openWindow(j.engine, s.window); err != nil {
		refusal = cmp.Or(refusal, ranksError(j.engine.Size(), err.Error()))
	}
	return remote.New(config), refusal
}
