package runtime

import (
	"context"
	"slices"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A diary is an observer that records its calls.
type diary struct {
	edt.NopObserver
	mu    *sync.Mutex
	pages *map[int][]string
	w     *edt.Worker
}

func (d *diary) write(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	(*d.pages)[d.w.Number()] = append((*d.pages)[d.w.Number()], what)
}

func (d *diary) WorkerIdle()                                 { d.write("idle") }
func (d *diary) WorkerBusy()                                 { d.write("busy") }
func (d *diary) WorkerParked()                               { d.write("parked") }
func (d *diary) WorkerWoke()                                 { d.write("woke") }
func (d *diary) WorkerStole(int)                             { d.write("stole") }
func (d *diary) EDTBegin(guid.GUID, *edt.Template, edt.Args) { d.write("begin") }
func (d *diary) EDTEnded(guid.GUID)                          { d.write("ended") }

// follows has, for each call of an observer, the calls that may come next on the same worker.
var follows = map[string][]string{
	"":       {"idle", "begin"},
	"idle":   {"parked", "stole", "busy"},
	"parked": {"woke"},
	"woke":   {"parked", "stole", "busy"},
	"stole":  {"busy"},
	"busy":   {"begin", "idle"},
	"begin":  {"ended"},
	"ended":  {"begin", "idle"},
}

func TestObserversGetWorkerCalls(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		var mu sync.Mutex
		pages, again := map[int][]string{}, map[int][]string{}
		var told Report
		main := starting(func(c *edt.Ctx) {
			for range 200 {
				c.NewEDT(body(c, func(c *edt.Ctx) {
					for range 20 {
						c.NewEDT(body(c, func(*edt.Ctx) {}), nil)
					}
				}), nil)
			}
		})
		err := Run(context.Background(), main, Workers(workers), Into(&told), Spin(0),
			Observe(func(w *edt.Worker) edt.Observer { return &diary{mu: &mu, pages: &pages, w: w} }),
			Observe(func(w *edt.Worker) edt.Observer { return &diary{mu: &mu, pages: &again, w: w} }))
		testrun.OK(t, err)
		count := map[string]uint64{}
		for w, page := range pages {
			last := ""
			for _, what := range page {
				if !slices.Contains(follows[last], what) {
					t.Fatalf("worker %d of %d: %q after %q", w, workers, what, last)
				}
				last = what
				count[what]++
			}
			testrun.Same(t, again[w], page, "worker %d of %d: calls of a second observer", w, workers)
		}
		if count["begin"] != told.Counters.EDTRun || count["stole"] != told.Counters.Steals ||
			count["parked"] != told.Counters.Parks {
			t.Errorf("%d workers: told of %v, counted %d EDTs, %d steals, %d parks",
				workers, count, told.Counters.EDTRun, told.Counters.Steals, told.Counters.Parks)
		}
	}
}
