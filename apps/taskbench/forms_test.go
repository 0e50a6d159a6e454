package taskbench

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// forms are what the EDT form is compared with.
var forms = map[string]func(Config, context.Context, int) (time.Duration, error){
	"floor": Config.Floor, "goroutines": Config.Goroutines,
}

func TestForms(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			eachShape(func(g Graph) {
				for _, workers := range []int{1, 2, 3, 8} {
					cfg := one(g)
					cfg.Graphs = append(cfg.Graphs, shape(Stencil1D, 5, 7), g)
					if elapsed, err := form(cfg, t.Context(), workers); err != nil || elapsed <= 0 {
						t.Errorf("%v, %d workers: %v, %v", &g, workers, elapsed, err)
					}
				}
			})
		})
	}
}

// TestFormsStop holds that a form ends with its context, also if workers wait for each other.
func TestFormsStop(t *testing.T) {
	stopped := errors.New("stopped")
	for name, form := range forms {
		for p := range numPatterns {
			for _, workers := range []int{1, 2, 3, 8} {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Millisecond, func() { cancel(stopped) })
				if _, err := form(one(shape(p, 8, 1<<40)), ctx, workers); !errors.Is(err, stopped) {
					t.Errorf("%s, %v, %d workers: %v, want the cause", name, p, workers, err)
				}
			}
		}
	}
}

// TestFormsUseTheirScratch holds that scratch memory is filled before the clock starts, and looked at by every task.
func TestFormsUseTheirScratch(t *testing.T) {
	g := shape(Stencil1D, 3, 5)
	g.Kernel, g.Scratch = kernel.Kernel{Kind: kernel.MemoryBound, Iterations: 3, Samples: 2}, 4096
	for _, form := range []string{"floor", "goroutines"} {
		team := newTeam(one(g), 1, form)
		if form == "goroutines" {
			team.connect()
		}
		scratch := team.members[0].parts[0].scratch
		for i, words := range scratch {
			if len(words) != 512 || words[0] != scratchMagic || words[511] != scratchMagic {
				t.Errorf("%s: scratch memory of column %d is not filled", form, i)
			}
		}
		scratch[1][0]++
		var found *trial.VerifyError
		if _, err := team.together(t.Context()); !errors.As(err, &found) || !strings.Contains(found.Where,
			",1): first word of the scratch memory") || !strings.HasPrefix(err.Error(), form+": ") {
			t.Errorf("%s: %v, want the scratch memory of column 1", form, err)
		}
	}
}

// TestFormsCheckEveryPair holds that each form looks at the last whole pair, and that it ignores the bytes beyond it.
func TestFormsCheckEveryPair(t *testing.T) {
	for output, wrong := range map[int]bool{32: true, 33: false, 47: false, 48: true} {
		g := shape(NoComm, 2, 5)
		g.Output = output
		team := newTeam(one(g), 1, "floor")
		part := &team.members[0].parts[0]
		testrun.OK(t, team.step(part, 0))
		words := part.outputs[0][1].words
		words[len(words)-1]++
		if err := team.step(part, 1); (err != nil) != wrong {
			t.Errorf("%d bytes: the last of %d words is wrong, error %v", output, len(words), err)
		}
	}
}

// TestFormsWantTheStepBefore holds that an output of an older step is wrong, but in the
// floor, in which it may stand in for another worker's.
func TestFormsWantTheStepBefore(t *testing.T) {
	for form, wrong := range map[string]bool{"floor": false, "goroutines": true} {
		team := newTeam(one(shape(Stencil1D, 4, 9)), 1, form)
		if wrong {
			team.connect()
		}
		part := &team.members[0].parts[0]
		for step := range 2 {
			testrun.OK(t, team.step(part, step))
		}
		if err := team.step(part, 3); (err != nil) != wrong {
			t.Errorf("%s: step 3 after step 1: %v", form, err)
		}
	}
}
