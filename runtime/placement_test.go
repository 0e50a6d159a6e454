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
	"ocr/guid"
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

// TestPinned: each worker is confined to the one processor that the report names.
func TestPinned(t *testing.T) {
	allowed := mask(t)
	for _, workers := range []int{1, len(allowed), len(allowed) + 2} {
		masks, r := workerMasks(t, Workers(workers))
		if !r.Pinned {
			t.Errorf("%d workers: not pinned: %v", workers, r.Warnings)
		}
		used := make(map[int]int)
		for w, m := range masks {
			testrun.Same(t, []int{r.Placement[w]}, m,
				"processors of worker %d, beside the report", w)
			used[r.Placement[w]]++
		}
		testrun.Equal(t, min(workers, len(allowed)), len(used),
			"processors that %d workers are on", workers)
	}
}

// TestListed: worker k runs on the k-th processor of CPUs.
func TestListed(t *testing.T) {
	backwards := mask(t)
	slices.Reverse(backwards)
	masks, r := workerMasks(t, Workers(len(backwards)), CPUs(backwards), Bind(BindListed))
	if !r.Pinned || !slices.Equal(r.Placement, backwards) {
		t.Errorf("workers are on %v, pinned: %v, want %v", r.Placement, r.Pinned, backwards)
	}
	for w, m := range masks {
		testrun.Same(t, backwards[w:w+1], m, "processors of worker %d", w)
	}
}

func TestNotPinned(t *testing.T) {
	allowed := mask(t)
	masks, r := workerMasks(t, Workers(2), Bind(BindNone))
	for w, m := range masks {
		testrun.Same(t, allowed, m, "processors of worker %d", w)
	}
	if r.Pinned {
		t.Error("the report says that workers are pinned")
	}
}

// TestGoroutinesOfBodiesAreNotPinned: so a process that one of them starts may use the processors of this process.
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

// TestChosenProcessors: the workers of a run stay on the processors of CPUs.
func TestChosenProcessors(t *testing.T) {
	allowed := mask(t)
	for _, bind := range []Binding{BindCompact, BindNone} {
		for _, cpu := range allowed {
			masks, r := workerMasks(t, Workers(2), CPUs([]int{cpu}), Bind(bind))
			for w, m := range masks {
				if !slices.Equal(m, []int{cpu}) || r.Placement[w] != cpu {
					t.Errorf("%v: worker %d may use %v and was on %d, want %d", bind, w, m, r.Placement[w], cpu)
				}
			}
		}
	}
}

// TestMaskRestored: after a run the caller's thread has its own mask, however the run has ended, and no worker is left.
func TestMaskRestored(t *testing.T) {
	allowed := mask(t)
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	defer func() { _ = sys.SetAffinity(allowed) }()
	for _, own := range [][]int{allowed[:1], allowed} {
		if err := sys.SetAffinity(own); err != nil {
			t.Skipf("this system does not let a thread choose its processors: %v", err)
		}
		for name, f := range map[string]func(c *edt.Ctx){
			"success":  func(*edt.Ctx) {},
			"shutdown": func(c *edt.Ctx) { c.Shutdown() },
			"misuse":   func(c *edt.Ctx) { c.Satisfy(guid.Null, guid.Null) },
			"panic":    func(*edt.Ctx) { panic("no") },
			"abort":    func(c *edt.Ctx) { c.Abort(1) },
		} {
			for _, opt := range []Option{Workers(1), Workers(2), Workers(0), CPUs([]int{-3}), Bind(BindNone)} {
				var used []int
				_, err := runMain(t, starting(func(c *edt.Ctx) {
					used, _ = sys.GetAffinity()
					f(c)
				}), opt)
				if got, _ := sys.GetAffinity(); !slices.Equal(got, own) {
					t.Fatalf("%s (%v): the mask is %v afterwards, was %v", name, err, got, own)
				}
				for _, cpu := range used {
					if !slices.Contains(own, cpu) {
						t.Errorf("%s: a worker used %v, outside the mask %v", name, used, own)
					}
				}
			}
		}
	}
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
