package synchp2p

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
)

// An eagerHost runs an EDT the moment it becomes ready, on a worker that is idle, while the EDT that made it ready is
// still in the middle of its body: what a second processor may do at any time. When all workers are busy the EDT waits.
type eagerHost struct {
	graph   *edt.Graph
	begun   bool
	idle    []*edt.Worker
	waiting []edt.Ready
	bound   map[int]int // EDTs that were strict about a worker
}

func newEagerHost(workers int) *eagerHost {
	h := &eagerHost{graph: edt.NewGraph(edt.Config{Workers: workers}), bound: make(map[int]int)}
	for range workers {
		h.idle = append(h.idle, h.graph.NewWorker(h))
	}
	return h
}

func (h *eagerHost) Stop() {}

func (h *eagerHost) Ready(k edt.Ready) {
	last := len(h.idle) - 1
	if last < 0 || !h.begun {
		h.waiting = append(h.waiting, k)
		return
	}
	c := h.idle[last]
	h.idle = h.idle[:last]
	for k != 0 {
		if k.Place().Strict() {
			h.bound[k.Place().Worker()]++
		}
		k = c.Execute(k)
	}
	c.Idle()
	h.idle = append(h.idle, c)
}

func (h *eagerHost) run(main edt.Func) {
	h.graph.Begin(main, nil)
	h.begun = true
	for len(h.waiting) > 0 {
		k := h.waiting[0]
		h.waiting = h.waiting[1:]
		h.Ready(k)
	}
}

// A clone may overtake the EDT that made it.
func TestEagerClones(t *testing.T) {
	turn := 0
	eachShape(func(cfg Config) {
		for _, form := range graphForms {
			turn++
			cfg = form.in(cfg)
			cfg.Place = PlaceNone
			h := newEagerHost([]int{2, 3, 6}[turn%3])
			app := New(cfg)
			h.run(app.Main())
			r, err := app.Result()
			checkResult(t, cfg, r, err)
			checkCounters(t, cfg, h.graph.Counters())
			h.graph.Close()
		}
	})
}

// A rank's EDTs stay on its worker.
func TestPlacement(t *testing.T) {
	for _, test := range []struct {
		place   Placement
		workers int
		ranks   []int // of each worker
	}{
		{PlaceBlock, 1, []int{10}},
		{PlaceBlock, 2, []int{5, 5}},
		{PlaceBlock, 3, []int{4, 3, 3}},
		{PlaceCyclic, 3, []int{4, 3, 3}},
		{PlaceCyclic, 20, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{PlaceNone, 3, nil},
	} {
		for _, form := range graphForms {
			cfg := form.in(Defaults())
			cfg.Place = test.place
			h := newEagerHost(test.workers)
			h.run(New(cfg).Main())
			h.graph.Close()
			if len(h.bound) != len(test.ranks) {
				t.Errorf("%v, %d workers: EDTs bound to %d of them, want %d", cfg, test.workers, len(h.bound), len(test.ranks))
			}
			for worker, ranks := range test.ranks {
				if want := ranks * (1 + cfg.Phases*cfg.Timesteps); h.bound[worker] != want {
					t.Errorf("%v, %d workers: %d EDTs bound to worker %d, want %d", cfg, test.workers, h.bound[worker], worker, want)
				}
			}
		}
	}
}

// Neighbours share a worker in block placement, and not in cyclic.
func TestPlaceOf(t *testing.T) {
	h := newEagerHost(3)
	defer h.graph.Close()
	h.run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		for place, want := range map[Placement][]int{
			PlaceBlock:  {0, 0, 0, 1, 1, 2, 2},
			PlaceCyclic: {0, 1, 2, 0, 1, 2, 0},
			PlaceNone:   {-1, -1, -1, -1, -1, -1, -1},
		} {
			for rank, worker := range want {
				at := placeOf(c, Config{Ranks: len(want), Place: place}, rank)
				if at.Worker() != worker || at.Strict() != (worker >= 0) {
					t.Errorf("%s: rank %d on worker %d, strict %t, want worker %d", place, rank, at.Worker(), at.Strict(), worker)
				}
			}
		}
		return guid.Null
	})
}
