package runtime

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// workerMasks returns the affinity mask of each worker's thread during a run.
func workerMasks(t *testing.T, opts ...Option) ([][]int, Report) {
	t.Helper()
	var masks [][]int
	r := mustRun(t, starting(func(c *edt.Ctx) {
		masks = make([][]int, c.Workers())
		for w := range masks {
			c.NewEDTAt(c.Bind(w), body(c, func(c *edt.Ctx) { masks[c.Worker()], _ = sys.GetAffinity() }), nil)
		}
	}), opts...)
	return masks, r
}

// TestPlaces: each worker is confined to the processors that the options say, and the report names where it was.
func TestPlaces(t *testing.T) {
	allowed := mask(t)
	backwards := slices.Clone(allowed)
	slices.Reverse(backwards)
	n := len(allowed)
	for name, tc := range map[string]struct {
		opts   []Option
		may    []int // processors of the workers
		pinned bool
	}{
		"one":               {[]Option{Workers(1)}, allowed, true},
		"all":               {[]Option{Workers(n)}, allowed, true},
		"more":              {[]Option{Workers(n + 2)}, allowed, true},
		"listed":            {[]Option{Workers(n), CPUs(backwards), Bind(BindListed)}, allowed, true},
		"not bound":         {[]Option{Workers(2), Bind(BindNone)}, allowed, false},
		"chosen":            {[]Option{Workers(2), CPUs(allowed[n-1:])}, allowed[n-1:], true},
		"chosen, not bound": {[]Option{Workers(2), CPUs(allowed[n-1:]), Bind(BindNone)}, allowed[n-1:], false},
	} {
		masks, r := workerMasks(t, tc.opts...)
		used := make(map[int]bool)
		for w, m := range masks {
			want := tc.may
			if tc.pinned {
				want = r.Placement[w : w+1]
			}
			if !slices.Equal(m, want) || !slices.Contains(tc.may, r.Placement[w]) {
				t.Errorf("%s: worker %d may use %v and was on %d, want %v", name, w, m, r.Placement[w], want)
			}
			used[r.Placement[w]] = true
		}
		if r.Pinned != tc.pinned || tc.pinned && len(used) != min(len(masks), len(tc.may)) {
			t.Errorf("%s: pinned %v, on %d processors, warnings %v", name, r.Pinned, len(used), r.Warnings)
		}
		if name == "listed" {
			testrun.Same(t, backwards, r.Placement)
		}
	}
}

// TestGoroutinesOfBodiesAreNotPinned: a body's goroutine, and a process that it starts, may use all processors.
func TestGoroutinesOfBodiesAreNotPinned(t *testing.T) {
	got := make(chan []int, 1)
	mustRun(t, starting(func(*edt.Ctx) {
		go func() {
			m, _ := sys.GetAffinity()
			got <- m
		}()
	}), Workers(2))
	testrun.Same(t, mask(t), <-got)
}

// TestMaskOfTheCaller: workers use the processors of the thread that calls Run, which keeps its mask.
func TestMaskOfTheCaller(t *testing.T) {
	allowed := mask(t)
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	defer func() { _ = sys.SetAffinity(allowed) }()
	if err := sys.SetAffinity(allowed[:1]); err != nil {
		t.Skipf("this system does not let a thread choose its processors: %v", err)
	}
	masks, _ := workerMasks(t, Workers(2))
	testrun.Same(t, [][]int{allowed[:1], allowed[:1]}, masks)
	testrun.Same(t, allowed[:1], mask(t))
}

// TestNoThreadStaysPinned: when a pool is closed, each thread of the process has its former mask, also the first
// thread, which Go never ends.
func TestNoThreadStaysPinned(t *testing.T) {
	allowed := cpulist.Format(mask(t))
	ends := []func(*edt.Ctx){func(*edt.Ctx) {}, func(*edt.Ctx) { panic("no") }, func(*edt.Ctx) { goruntime.Goexit() }}
	for n := range 30 {
		p, err := New(Workers(1 + n%5))
		testrun.OK(t, err)
		for k := range 3 {
			_ = p.Run(context.Background(), starting(func(c *edt.Ctx) {
				for w := range c.Workers() {
					c.NewEDTAt(c.Bind(w), body(c, ends[(n+k)%3]), nil)
				}
			}))
		}
		testrun.OK(t, p.Close())
		all, err := filepath.Glob("/proc/self/task/*/status")
		testrun.OK(t, err)
		for _, file := range all {
			status, _ := os.ReadFile(file) // the thread may have ended meanwhile
			if _, has, is := strings.Cut(string(status), "Cpus_allowed_list:\t"); is && !strings.HasPrefix(has, allowed+"\n") {
				t.Fatalf("pool %d: a thread has the mask %s, want %s", n, strings.SplitN(has, "\n", 2)[0], allowed)
			}
		}
	}
}

// newTestUnstarted makes the pool of these options, before any worker is started.
func newTestUnstarted(t *testing.T, maskErr error, opts ...Option) *Pool {
	t.Helper()
	s := resolve(opts)
	testrun.OK(t, s.check(mask(t)))
	return newUnstarted(s, maskErr)
}

// TestPinningFails: if a worker cannot be pinned, or the affinity mask cannot be read, the run warns once, and runs.
func TestPinningFails(t *testing.T) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	for want, maskErr := range map[string]error{"could not be pinned": nil, "not here": errors.New("not here")} {
		var r Report
		x := newTestUnstarted(t, maskErr, Workers(2), Into(&r))
		if maskErr == nil {
			x.place.cpus = []int{1 << 19} // no such processor
		}
		x.startWorkers()
		testrun.OK(t, x.run(context.Background(), starting(func(*edt.Ctx) {})))
		x.close()
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], want) || r.Pinned {
			t.Errorf("warnings %q, pinned %v", r.Warnings, r.Pinned)
		}
		for w, cpu := range r.Placement {
			if !slices.Contains(mask(t), cpu) {
				t.Errorf("worker %d was on %d", w, cpu)
			}
		}
	}
}

// TestWorkersWithoutMask: if the affinity mask is not known, workers do not count as sharing a processor.
func TestWorkersWithoutMask(t *testing.T) {
	s := resolve(nil)
	testrun.OK(t, s.check(nil))
	n := goruntime.NumCPU()
	if place := s.plan(errors.New("not here")); s.workers != n || place.places != n {
		t.Errorf("%d workers, %d with a processor of their own; there are %d processors", s.workers, place.places, n)
	}
	p := newPool(s, 0)
	if cpu := p.workers[0].cpu; cpu.oversubscribed() || !cpu.full() {
		t.Errorf("%d workers are awake on %d processors", cpu.awake.Load(), cpu.processors)
	}
}
