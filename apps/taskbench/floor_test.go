package taskbench

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// free returns pins of threads that are not pinned.
func free(threads int) []int { return slices.Repeat([]int{-1}, threads) }

func TestFloor(t *testing.T) {
	eachShape(func(g Graph) {
		for _, workers := range []int{1, 2, 3, 8} {
			cfg := one(g)
			cfg.Graphs = append(cfg.Graphs, shape(Stencil1D, 5, 7), g)
			if elapsed, err := cfg.Floor(t.Context(), free(workers)); err != nil || elapsed <= 0 {
				t.Errorf("%v, %d workers: %v, %v", &g, workers, elapsed, err)
			}
		}
	})
}

// TestFloorStops holds that the floor ends with its context.
func TestFloorStops(t *testing.T) {
	stopped := errors.New("stopped")
	for p := range numPatterns {
		for _, workers := range []int{1, 2, 3, 8} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Millisecond, func() { cancel(stopped) })
			_, err := one(shape(p, 8, 1<<40)).Floor(ctx, free(workers))
			testrun.Is(t, err, stopped, "%v, %d workers", p, workers)
		}
	}
}

// loopOf returns the loop of the only worker.
func loopOf(g Graph) loop {
	g.recorded = true
	p := newPlan(g)
	p.layOut(1)
	return newLoop(p, true, 0)
}

// TestFloorUsesItsScratch holds that scratch memory is filled before the clock starts, and looked at by every task.
func TestFloorUsesItsScratch(t *testing.T) {
	g := shape(Stencil1D, 3, 5)
	g.Kernel, g.Scratch = kernel.Kernel{Kind: kernel.MemoryBound, Iterations: 3, Samples: 2}, 4096
	loops := [][]loop{{loopOf(g)}}
	for i, col := range loops[0][0].columns {
		words := col.scratchIn(loops[0][0].memory)
		if len(words) != 512 || words[0] != scratchMagic || words[511] != scratchMagic {
			t.Errorf("scratch memory of column %d is not filled", i)
		}
		words[0] += uint64(i & 1)
	}
	_, err := together(t.Context(), loops, free(1))
	testrun.As[*trial.VerifyError](t, err)
	testrun.Fails(t, err, "floor: taskbench: wrong result: graph 0, task (0,1): first word of the scratch memory")
}

// TestScratchStaysRight holds that no kernel makes scratch memory wrong, whatever the parts that it copies.
func TestScratchStaysRight(t *testing.T) {
	for _, scratch := range []int{16, 24, 160} {
		for samples := 1; samples <= scratch; samples++ {
			for iterations := range int64(6) {
				g := shape(NoComm, 2, 5)
				g.Kernel, g.Scratch = kernel.Kernel{Kind: kernel.MemoryBound, Iterations: iterations, Samples: samples}, scratch
				l := loopOf(g)
				for step := range g.Steps {
					testrun.OK(t, l.step(step), "%d bytes, %d samples, %d iterations", scratch, samples, iterations)
				}
			}
		}
	}
}

// TestFloorChecksEveryPair holds that the floor looks at the last whole pair, and that it ignores the bytes beyond it.
func TestFloorChecksEveryPair(t *testing.T) {
	for output, wrong := range map[int]bool{32: true, 33: false, 47: false, 48: true} {
		g := shape(NoComm, 2, 5)
		g.Output = output
		l := loopOf(g)
		testrun.OK(t, l.step(0))
		words := l.memory[l.columns[1].outputAt+guidWords:][:g.outputWords()]
		words[len(words)-1]++
		if err := l.step(1); (err != nil) != wrong {
			t.Errorf("%d bytes: the last of %d words is wrong, error %v", output, len(words), err)
		}
	}
}
