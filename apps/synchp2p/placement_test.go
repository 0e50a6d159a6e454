package synchp2p

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A clone may overtake the EDT that created it: EDTs start in the middle of the one that makes them ready.
func TestEagerClones(t *testing.T) {
	turn := 0
	eachShape(func(cfg Config) {
		for _, form := range graphForms {
			turn++
			cfg = form.in(cfg)
			cfg.Place = PlaceNone
			schedule, err := edttest.ParseSchedule(fmt.Sprintf("overlap:%d", turn))
			testrun.OK(t, err)
			app := New(cfg)
			if err := edttest.RunSchedule(t.Context(), schedule, []int{2, 3, 6}[turn%3], app.Main()); err != nil {
				t.Errorf("%v, overlap:%d: %v", cfg, turn, err)
			}
			r, err := app.Result()
			checkResult(t, cfg, r, err)
		}
	})
}

// sweeps counts the EDTs of the sweep that one worker runs.
type sweeps struct {
	edt.NopObserver
	n *int
}

func (s sweeps) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	if strings.HasPrefix(t.Name(), "synch_p2p.sweep") {
		*s.n++
	}
}

// A rank's EDTs run on its worker.
func TestPlacement(t *testing.T) {
	for _, test := range []struct {
		place Placement
		ranks []int // of each worker
	}{
		{PlaceBlock, []int{10}},
		{PlaceBlock, []int{5, 5}},
		{PlaceBlock, []int{4, 3, 3}},
		{PlaceCyclic, []int{4, 3, 3}},
		{PlaceCyclic, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}},
	} {
		for seed, form := range graphForms {
			cfg := form.in(Defaults())
			cfg.Place, cfg.Timesteps = test.place, 10
			ran, want := make([]int, len(test.ranks)), slices.Clone(test.ranks)
			for worker := range want {
				want[worker] *= cfg.Phases * cfg.Timesteps
			}
			h := edttest.New(uint64(seed), edt.Config{Workers: len(want), Observe: func(w *edt.Worker) edt.Observer {
				return sweeps{n: &ran[w.Number()]}
			}})
			if err := h.Run(New(cfg).Main()); err != nil || !slices.Equal(ran, want) {
				t.Errorf("%v: the workers ran %d EDTs, want %d, error %v", cfg, ran, want, err)
			}
			h.Graph.Close()
		}
	}
}

// Neighbours share a worker in block placement, and not in cyclic; without placement no rank has one.
func TestPlaceOf(t *testing.T) {
	err := edttest.Run(1, 3, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		for place, want := range map[Placement][]int{
			PlaceBlock:  {0, 0, 0, 1, 1, 2, 2},
			PlaceCyclic: {0, 1, 2, 0, 1, 2, 0},
			PlaceNone:   {-1, -1, -1, -1, -1, -1, -1},
		} {
			for rank, worker := range want {
				at := placeOf(c, Config{Ranks: len(want), Place: place}, rank)
				if at.Worker() != worker || at.Strict() != (worker >= 0) {
					t.Errorf("%s: rank %d on worker %d, strict %t, want worker %d",
						place, rank, at.Worker(), at.Strict(), worker)
				}
			}
		}
		return guid.Null
	})
	testrun.OK(t, err)
}
