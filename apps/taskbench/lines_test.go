package taskbench

import (
	"fmt"
	"testing"
	"unsafe"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// owners says which worker writes each unit of 128 bytes: two lines, as processors fetch them in pairs.
type owners map[uintptr]int

// wrote records that a worker writes a slice while its tasks run, and fails if another worker writes the same unit.
func wrote[T any](t *testing.T, o owners, worker int, what string, s []T) {
	t.Helper()
	const unit = 128
	at := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	for u := at / unit; len(s) > 0 && u <= (at+uintptr(len(s))*unsafe.Sizeof(s[0])-1)/unit; u++ {
		if other, known := o[u]; known && other != worker {
			t.Errorf("%s of worker %d are within 128 bytes of what worker %d writes", what, worker, other)
		}
		o[u] = worker
	}
}

// TestWorkersShareNoLines: what a task or a worker of the floor writes outside data blocks is on lines of its worker.
func TestWorkersShareNoLines(t *testing.T) {
	const workers = 4
	for _, pattern := range []Pattern{Stencil1D, Nearest, FFT, AllToAll} {
		for _, width := range []int{4, 8, 11} {
			t.Run(fmt.Sprintf("%v, %d columns", pattern, width), func(t *testing.T) {
				g := shape(pattern, width, 5)
				g.Scratch = 16
				written := make(owners)
				err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
					for w, peers := range newGraph(c, g, PlaceBound, true).peers {
						wrote(t, written, w, "the list", peers)
					}
					return guid.Null
				}, runtime.Workers(workers))
				testrun.OK(t, err)
				for w := range workers {
					newLoop(newPlan(g), true, w, workers).written(t, written, w)
				}
			})
		}
	}
}

// written records all memory that a worker writes.
func (l loop) written(t *testing.T, o owners, w int) {
	for k := range l.scratch {
		for _, outputs := range l.outputs {
			wrote(t, o, w, "outputs", outputs[k])
		}
		wrote(t, o, w, "scratch memory", l.scratch[k])
	}
}
