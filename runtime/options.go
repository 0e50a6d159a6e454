package runtime

import (
	"fmt"
	"math"
	goruntime "runtime"
	"slices"
	"time"

	"go.uber.org/zap"

	"ocr/edt"
	"ocr/internal/core/cpulist"
	"ocr/internal/rank/mpi"
	"ocr/internal/rank/remote"
)

// An Option changes how [Run] runs a program.
type Option func(*settings)

// Options makes one option of several.
func Options(opts ...Option) Option {
	return func(s *settings) {
		for n, o := range opts {
			if o == nil {
				s.refuse(fmt.Sprintf("option %d of %d", n+1, len(opts)), "it is nil")
				continue
			}
			o(s)
		}
	}
}

// refuse makes check return this error, unless an option was refused before.
func (s *settings) refuse(option, problem string) {
	if s.refused == nil {
		s.refused = &OptionError{option, problem}
	}
}

// A Binding says where workers are pinned.
type Binding uint8

const (
	// BindCompact pins workers to processors near each other: to one hardware thread of each core first, to the cores'
	// other threads last.
	BindCompact Binding = iota
	// BindNone does not pin workers: the operating system moves them.
	BindNone
	// BindListed pins worker k to the k-th processor of [CPUs].
	BindListed
)

var bindingNames = []string{"compact", "none", "listed"}

func (b Binding) String() string {
	if int(b) < len(bindingNames) {
		return bindingNames[b]
	}
	return fmt.Sprintf("Binding(%d)", uint8(b))
}

// MaxWorkers is the largest number of workers of a run in one process, about the number of processors of the largest
// machines. A worker is a thread of the operating system, and an idle worker looks at all other workers: more workers
// only cost time and memory. An affinity can name more workers, see [edt.MaxWorkers].
const MaxWorkers = 1024

const (
	// DefaultSpin is how long an idle worker searches before it parks: a little longer than the 5 to 50 µs that the
	// operating system takes to wake a parked thread.
	DefaultSpin = 75 * time.Microsecond
	// DefaultSpinShared is how long an idle worker searches while another worker on its processor is awake: the search
	// takes processor time from that worker.
	DefaultSpinShared = 2 * time.Microsecond

	// stealGap is the least time between two attempts of one worker to steal, but see endLoot.
	stealGap = time.Microsecond

	dequeCapacity = 1024
	inboxCapacity = 256
)

type settings struct {
	refused   error // of the first option that is wrong in itself
	workers   int
	cpus      []int // that this rank may use
	listed    []int // those of CPUs, for all ranks; nil if that was not given or has all allowed ones
	binding   Binding
	argv      []string
	logger    *zap.Logger
	atBegin   []func() (func(), error)
	atEnd     []func(Report, error)
	leaks     bool
	sites     bool
	observers []observing
	checked   bool
	blocking  time.Duration
	watch     Watch
	memory    uint64 // of this rank; 0: its part of the machine's
	sharing   int    // the number of ranks of this run on this machine
	window    int
	spin      time.Duration // negative: the default
	stealGap  time.Duration
	ranks     *remote.Part // nil if there is one rank
	numRanks  int
	crowded   string  // a warning if ranks share processors, else ""
	quota     float64 // see sys.CPUQuota

	dequeCapacity, inboxCapacity int
	prepare                      func(*pool) // tests: called before a run, when all workers are set up; may be nil
}

// Workers sets the number of workers, 1 to [MaxWorkers]. The default is one for each processor that the process may
// use, but at most MaxWorkers, and at most the number of processors whose time its control group allows (cpu.max),
// rounded up.
func Workers(n int) Option { return func(s *settings) { s.workers = n } }

// CPUs restricts the run to these processors, out of those that the process may use; nil stands for all allowed ones.
// Over [Ranks] the list holds for all machines: the ranks of each divide it, and refuse one that they may not use.
func CPUs(cpus []int) Option { return func(s *settings) { s.cpus = cpus } }

// Bind sets where workers are pinned; [BindCompact] by default.
func Bind(b Binding) Option { return func(s *settings) { s.binding = b } }

// Argv sets the arguments that main finds in its argument block, see [edt.Argv]. By OCR's convention the first one is
// the name of the program.
func Argv(argv ...string) Option { return func(s *settings) { s.argv = argv } }

// Logger logs the run's life cycle, warnings and failures to l; by default nothing is logged. Single EDTs are never
// logged.
func Logger(l *zap.Logger) Option {
	return func(s *settings) {
		if l == nil {
			s.refuse("Logger(nil)", "want a logger; without the option nothing is logged")
			return
		}
		s.logger = l
	}
}

// Into writes the run's report to r before Run returns.
func Into(r *Report) Option {
	if r == nil {
		return func(s *settings) { s.refuse("Into(nil)", "want where the report goes") }
	}
	return AtEnd(func(told Report, _ error) { *r = told })
}

// AtEnd calls f at the end of a run that has begun, before Run returns, with the run's report and the error that Run
// returns. On a rank other than 0 the error has that rank's failures only, nil for none. Several AtEnd add up.
func AtEnd(f func(Report, error)) Option {
	return func(s *settings) {
		if f == nil {
			s.refuse("AtEnd(nil)", "want a function")
		}
		s.atEnd = append(s.atEnd, f)
	}
}

// AtBegin calls f before a run begins. If f returns an error, Run returns it without a run. Else Run calls end when the
// run is over, after the functions of [AtEnd], however the run has ended; end may be nil.
func AtBegin(f func() (end func(), err error)) Option {
	return func(s *settings) {
		if f == nil {
			s.refuse("AtBegin(nil)", "want a function")
		}
		s.atBegin = append(s.atBegin, f)
	}
}

// LeakReport fills [Report.Leaks], at the end of a run without an error, with the objects that were not destroyed.
func LeakReport() Option { return func(s *settings) { s.leaks = true } }

// TrackSites records the line of each call that creates an object, or satisfies or destroys an event. Reports of leaks
// and stuck runs, and errors about events, then have these lines; for a call on another rank only the EDT's template.
// Each call costs about a microsecond more, and some memory.
func TrackSites() Option { return func(s *settings) { s.sites = true } }

// Observe observes every worker of the run: newObserver is called once for each worker. Several Observe add up.
// [edt.Observer] says what is reported, and what that costs.
func Observe(newObserver func(*edt.Worker) edt.Observer) Option {
	return (&ObserverKind{}).Observe("", newObserver)
}

// Check runs the program in check mode: slowly, and looking for faults of the program. internal/watch/check/README.md
// says what it finds and what not, and what is a fault or only a note. With faults Run returns a [*finding.Error];
// [Report.Findings] has the notes too. All is reported at the end of the run. Most wrong accesses to blocks end the run
// at once, as a panic of the EDT. Check cannot be used with [Ranks].
func Check() Option { return func(s *settings) { s.checked = true } }

// Blocking sets for how long an EDT may keep its worker before [Check] notes it; by default a second.
func Blocking(after time.Duration) Option { return func(s *settings) { s.blocking = after } }

// Memory limits the memory of all data blocks together, in bytes; by default the memory that the process may use (RAM,
// control group, half of ulimit -v). Over [Ranks] each rank may use an equal part: of these bytes, or by default of its
// own machine's memory. A block that does not fit ends the run with [edt.ErrMemory].
func Memory(bytes uint64) Option { return func(s *settings) { s.memory = bytes } }

// Spin sets how long an idle worker searches before it parks. A worker that searches finds new EDTs sooner; a parked
// one leaves its processor to other threads. The default is [DefaultSpin], and [DefaultSpinShared] while workers share
// a processor. The only worker of a run parks at once, unless there are several [Ranks]. If no EDT is left, the run
// ends only when all workers are parked: so a longer time delays the end.
func Spin(d time.Duration) Option { return func(s *settings) { s.spin = max(d, 0) } }

// An OptionError says which option of [Run], or which other argument, was refused and why.
type OptionError struct{ Option, Problem string }

func (e *OptionError) Error() string { return "runtime: " + e.Option + ": " + e.Problem }

const (
	unset       = math.MinInt
	mostWorkers = min(MaxWorkers, edt.MaxWorkers)
)

func resolve(opts []Option) *settings {
	s := &settings{
		workers: unset, logger: zap.NewNop(), spin: -1, stealGap: stealGap, watch: DefaultWatch,
		numRanks: 1, sharing: 1, quota: cpuQuota(),
		dequeCapacity: dequeCapacity, inboxCapacity: inboxCapacity,
	}
	Options(opts...)(s)
	return s
}

// check completes the settings for the processors that the process may use, and refuses bad settings.
func (s *settings) check(allowed []int) error {
	if s.refused != nil {
		return s.refused
	}
	if err := s.checkCPUs(allowed); err != nil {
		return err
	}
	if err := s.checkRanks(); err != nil {
		return err
	}
	s.divide(mpi.Local())
	switch n, still := s.workers*s.numRanks, s.watch.Still; {
	case s.workers < 1 || s.workers > mostWorkers:
		return &OptionError{fmt.Sprintf("Workers(%d)", s.workers), fmt.Sprintf("want 1 to %d", MaxWorkers)}
	case n >= edt.MaxWorkers:
		return &OptionError{fmt.Sprintf("Ranks(%d), Workers(%d)", s.numRanks, s.workers),
			fmt.Sprintf("%d workers, want fewer than %d on all ranks", n, edt.MaxWorkers)}
	case s.window < 0:
		return &OptionError{fmt.Sprintf("Window(%d)", s.window), "want 0 bytes or more"}
	case still < 0:
		return &OptionError{fmt.Sprintf("Watchdog(Still %v)", still), "want a time of at least 0"}
	case int(s.binding) >= len(bindingNames):
		return &OptionError{fmt.Sprintf("Bind(%d)", s.binding), "want BindCompact, BindNone or BindListed"}
	}
	return checkProcesses(s.numRanks)
}

// checkCPUs makes the allowed processors the default of CPUs, and refuses a bad list.
func (s *settings) checkCPUs(allowed []int) error {
	if s.cpus == nil {
		s.cpus = allowed
		return nil
	}
	option := "CPUs(" + cpulist.Format(s.cpus) + ")"
	if len(s.cpus) == 0 {
		return &OptionError{option, "no processor; the process may use " + cpulist.Format(allowed)}
	}
	for k, c := range s.cpus {
		if len(allowed) > 0 && !slices.Contains(allowed, c) {
			return &OptionError{option, fmt.Sprintf("the process may use %s, not %d", cpulist.Format(allowed), c)}
		}
		if slices.Contains(s.cpus[:k], c) {
			return &OptionError{option,
				fmt.Sprintf("processor %d is named twice; the process may use %s", c, cpulist.Format(allowed))}
		}
	}
	if !slices.Equal(s.cpus, allowed) { // else no restriction: another rank may be allowed other processors
		s.listed = s.cpus
	}
	return nil
}

// numCPUs is the number of processors that the workers may use: Go's number if the affinity mask is not known.
func (s *settings) numCPUs() int {
	if len(s.cpus) == 0 {
		return goruntime.NumCPU()
	}
	return len(s.cpus)
}

// processors makes a cpu for each of the processors that workers are pinned to, or one cpu for all processors if
// workers are not pinned.
func (s *settings) processors(pinnedTo int) []*cpu {
	if pinnedTo == 0 {
		return []*cpu{{processors: int32(s.numCPUs())}}
	}
	all := make([]*cpu, pinnedTo)
	for k := range all {
		all[k] = &cpu{processors: 1}
	}
	return all
}
