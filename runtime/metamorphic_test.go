package runtime

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"runtime/pprof"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

var (
	graphs = flag.Uint64(
		"graphs", 0, "how many graphs TestMetamorphic runs; 0: 400, fewer in short mode and under the race detector, "+
			"100000 with OCR_NIGHTLY=1",
	)
	firstGraph   = flag.Uint64("first-graph", 0, "the seed to begin with")
	graph        = flag.Int64("graph", -1, "run the graph of this seed alone, a hundred times")
	graphNodes   = flag.Int("graph-nodes", 0, "number of nodes, in place of that of the seed")
	calm         = flag.Bool("graph-calm", false, "without an observer that disturbs the workers")
	graphWithout = flag.Uint("graph-without", 0, "without these features, a sum of graphtest.Feature")
)

// A setup is a name and the options with which a graph is run. They follow from the graph's seed.
type setup struct {
	name    string
	opts    []Option
	collect bool
}

func setupOf(seed uint64) setup {
	rng := rand.New(rand.NewPCG(seed, 5))
	s := setup{}
	add := func(name string, opts ...Option) {
		s.name += " " + name
		s.opts = append(s.opts, opts...)
	}
	workers := []int{1, 2, 3, 8}[rng.IntN(4)]
	add(fmt.Sprintf("workers=%d", workers), Workers(workers))
	switch rng.IntN(4) {
	case 0:
		add("tiny queues", queueCapacities(2, 1))
	case 1:
		add("small queues", queueCapacities(2, 4))
	}
	switch rng.IntN(4) {
	case 0, 1:
		add("parks", Spin(0))
	case 2:
		add("long spin", Spin(500*time.Microsecond))
	}
	if rng.IntN(2) == 0 {
		add("steals", stealsAtOnce())
	}
	if rng.IntN(2) == 0 && !*calm {
		add("jitter", jittered(seed)...)
	}
	if rng.IntN(4) == 0 {
		add("unbound", Bind(BindNone))
	}
	if s.collect = rng.IntN(16) == 0; s.collect {
		add("collections")
	}
	if rng.IntN(8) == 0 {
		add("sites", TrackSites())
	}
	return s
}

func planOf(seed uint64) *graphtest.Plan {
	n := 1 + int(seed*13%70)
	if *graphNodes > 0 {
		n = *graphNodes
	}
	return graphtest.GenerateWithout(seed, n, graphtest.Feature(*graphWithout))
}

// TestMetamorphic runs random graphs on the pool. Workers, queues, spin times and disturbances follow from the seed.
// Each graph must compute and count what the oracle says, and leave no object.
func TestMetamorphic(t *testing.T) {
	if *graph >= 0 {
		again(t, uint64(*graph))
		return
	}
	n := *graphs
	if n == 0 {
		n = uint64(sized(400, 100_000))
	}
	const maxFailures = 10 // more than one, so that one error does not hide another
	failed := 0
	var seed atomic.Uint64
	dog := watch(t, func() string { return replay(seed.Load(), nil) })
	for k := range n {
		seed.Store(*firstGraph + k)
		p := planOf(seed.Load())
		if diff := differs(p, setupOf(p.Seed)); diff != "" {
			dog.progress()
			t.Errorf("graph %d,%s: %s\n%s", p.Seed, setupOf(p.Seed).name, diff, replay(p.Seed, smallest(p)))
			if failed++; failed == maxFailures {
				t.Fatalf("%d graphs of %d failed", failed, k+1)
			}
		}
		dog.progress()
	}
	t.Logf("%d graphs", n)
}

func again(t *testing.T, seed uint64) {
	t.Logf("graph %d,%s", seed, setupOf(seed).name)
	for range 100 {
		if diff := differs(planOf(seed), setupOf(seed)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func replay(seed uint64, small *graphtest.Plan) string {
	s := fmt.Sprintf("again: go test -run 'TestMetamorphic$' ./runtime -graph %d", seed)
	if small != nil {
		s += fmt.Sprintf("; the smallest that was seen to fail: -graph-nodes %d -graph-without %d", len(small.Nodes),
			small.Without)
	}
	return s
}

// smallest looks for a smaller graph that fails too. A failure that depends on the schedule may not show in twenty
// runs; then a larger graph is returned than necessary.
func smallest(p *graphtest.Plan) *graphtest.Plan {
	return graphtest.Shrink(p, func(q *graphtest.Plan) bool {
		for range 20 {
			if differs(q, setupOf(q.Seed)) != "" {
				return true
			}
		}
		return false
	})
}

// differs runs a plan and says how it differs from what the oracle expects, "" if it does not.
func differs(p *graphtest.Plan, s setup) string {
	if s.collect {
		defer collecting()()
	}
	x := p.NewExecution()
	x.Shutdown = p.Seed%3 == 0
	var r Report
	err := Run(context.Background(), x.Main, append([]Option{Into(&r), LeakReport()}, s.opts...)...)
	if err != nil {
		return err.Error()
	}
	return judge(x, &r, p)
}

func judge(x *graphtest.Execution, r *Report, p *graphtest.Plan) string {
	if diff := x.Compare(r.Counters.Counters, p.Expect()); diff != "" {
		return diff
	}
	if len(r.Leaks) != 0 {
		return fmt.Sprintf("leaks %v", r.Leaks)
	}
	return ""
}

// TestLargePlans: graphs with so many EDTs that queues overflow and records move between workers.
func TestLargePlans(t *testing.T) {
	for seed := range uint64(12) {
		p := graphtest.Generate(1000+seed, sized(800, 8_000))
		testrun.Equal(t, "", differs(p, setupOf(seed)), "graph %d", p.Seed)
	}
}

// A spoiler is an observer that disturbs a run as an error in the runtime would.
type spoiler struct {
	edt.NopObserver
	spoil func(in edt.Args)
}

func (s *spoiler) EDTBegin(_ guid.GUID, _ *edt.Template, in edt.Args) { s.spoil(in) }

// spoiling is the option that calls spoil for each dependence in this mode of each EDT.
func spoiling(mode datablock.Mode, spoil func(w *edt.Worker, slot int, d *datablock.Dep)) Option {
	return Observe(func(w *edt.Worker) edt.Observer {
		return &spoiler{spoil: func(in edt.Args) {
			for k := range in.Deps() {
				if d := in.Dep(k); d.Mode() == mode && d.Bytes() != nil {
					spoil(w, k, d)
				}
			}
		}}
	})
}

// losing makes every worker lose its oldest EDT now and then.
func losing() []Option {
	var p *pool
	return []Option{Workers(2), prepared(func(q *pool) { p = q }), Observe(func(w *edt.Worker) edt.Observer {
		runs := 0
		return &spoiler{spoil: func(edt.Args) {
			if runs++; runs%20 == 0 {
				p.workers[w.Number()].deque.steal()
			}
		}}
	})}
}

// TestMetamorphicNotices: differs finds each error that the test puts into runs.
func TestMetamorphicNotices(t *testing.T) {
	lose := func(w *edt.Worker, slot int, d *datablock.Dep) { w.Relocate(slot, append([]byte(nil), d.Bytes()...)) }
	spoil := func(w *edt.Worker, slot int, d *datablock.Dep) {
		lose(w, slot, d)
		d.Bytes()[0] ^= 0xff
	}
	for name, opts := range map[string][]Option{
		"writes in mode RW are lost": {Workers(2), spoiling(datablock.RW, lose)},
		"writes in mode EW are lost": {Workers(2), spoiling(datablock.EW, lose)},
		// Not in mode RO: a writer may share the block, and the copy of its bytes would be a race of this test.
		"a reader sees something else": {Workers(2), spoiling(datablock.Const, spoil)},
		"bound EDTs run on another worker": {Workers(3), prepared(func(p *pool) {
			p.workers[1], p.workers[2] = p.workers[2], p.workers[1]
		})},
		"EDTs are lost": losing(),
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(200) {
				if diff := differs(graphtest.Generate(seed, 40), setup{opts: opts}); diff != "" {
					t.Logf("graph %d: %s", seed, diff)
					return
				}
			}
			t.Error("no difference was found in 200 graphs")
		})
	}
}

// sized is the size of a test: shortened(now), or atNight if OCR_NIGHTLY is set.
func sized(now, atNight int) int {
	if testrun.Nightly() {
		return atNight
	}
	return shortened(now)
}

var hangAfter = flag.Duration("hang", 2*time.Minute, "after how long without progress a stress test counts as hanging")

// A hangGuard ends the process, with the stacks of all goroutines, if a run takes so long that it must hang. what names
// the run, so that a developer can repeat it.
type hangGuard struct{ timer *time.Timer }

func watch(t testing.TB, what func() string) *hangGuard {
	w := &hangGuard{time.AfterFunc(*hangAfter, func() {
		fmt.Fprintf(os.Stderr, "%s hangs: %s\n", t.Name(), what())
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		os.Exit(2)
	})}
	t.Cleanup(func() { w.timer.Stop() })
	return w
}

// progress restarts the timer, as a run has ended.
func (w *hangGuard) progress() { w.timer.Reset(*hangAfter) }

// A jitter is an observer that delays its worker between two steps, where races are likely. It also shuffles the
// worker's victims.
type jitter struct {
	edt.NopObserver
	rng  *rand.Rand
	id   int
	pool **pool
}

// jittered puts a jitter on every worker.
func jittered(seed uint64) []Option {
	var p *pool
	return []Option{
		prepared(func(q *pool) { p = q }),
		Observe(func(w *edt.Worker) edt.Observer {
			return &jitter{rng: rand.New(rand.NewPCG(seed, uint64(w.Number()))), id: w.Number(), pool: &p}
		}),
	}
}

func (j *jitter) pause() {
	switch r := j.rng.Uint32(); {
	case r%32 == 0:
		goruntime.Gosched()
	case r%64 == 1:
		for start := time.Now(); time.Since(start) < 2*time.Microsecond; {
		}
	case r%1024 == 2:
		time.Sleep(20 * time.Microsecond)
	}
}

func (j *jitter) shuffle() {
	v := (*j.pool).workers[j.id].victims
	j.rng.Shuffle(len(v), func(a, b int) { v[a], v[b] = v[b], v[a] })
}

func (j *jitter) EDTCreated(guid.GUID, *edt.Template, int)                { j.pause() }
func (j *jitter) EDTGranted(guid.GUID)                                    { j.pause() }
func (j *jitter) EDTReady(guid.GUID)                                      { j.pause() }
func (j *jitter) EDTBegin(guid.GUID, *edt.Template, edt.Args)             { j.pause() }
func (j *jitter) EDTReturned(guid.GUID)                                   { j.pause() }
func (j *jitter) EDTEnded(guid.GUID)                                      { j.pause() }
func (j *jitter) EDTDestroyed(guid.GUID)                                  { j.pause() }
func (j *jitter) EventSatisfied(_, _, _ guid.GUID, _ int)                 { j.pause() }
func (j *jitter) EventDestroyed(guid.GUID)                                { j.pause() }
func (j *jitter) DependenceAdded(_, _ guid.GUID, _ int, _ datablock.Mode) { j.pause() }
func (j *jitter) SlotSatisfied(_ guid.GUID, _ int, _, _ guid.GUID)        { j.pause() }
func (j *jitter) BlockReleased(guid.GUID, datablock.Mode, bool)           { j.pause() }
func (j *jitter) BlockDestroyed(guid.GUID)                                { j.pause() }
func (j *jitter) WorkerIdle()                                             { j.pause(); j.shuffle() }
func (j *jitter) WorkerParked()                                           { j.pause() }
func (j *jitter) WorkerWoke()                                             { j.pause() }
func (j *jitter) WorkerStole(int)                                         { j.pause(); j.shuffle() }
func (j *jitter) WorkerBusy()                                             { j.pause() }

// collecting runs the garbage collector again and again until stop is called.
func collecting() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			goruntime.GC()
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
