package runtime

import (
	"encoding/binary"
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// memoryOwner is the owner of the scope memory in these tests.
const memoryOwner = 77

var memoryTree, memorySum *edt.Template

// memorySums receives the sum of what the scope's EDTs have added.
var memorySums = make(chan uint64, 1)

func init() {
	edt.DefineScopeMemory(memoryOwner, 0, func(into, from []byte) {
		binary.NativeEndian.PutUint64(into, binary.NativeEndian.Uint64(into)+binary.NativeEndian.Uint64(from))
	})
	memoryTree = edt.NewTemplate("runtime_test.memoryTree", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		own := c.ScopeMemory(memoryOwner, 8)
		binary.NativeEndian.PutUint64(own, binary.NativeEndian.Uint64(own)+1)
		if depth := in.Param(0); depth > 0 {
			for k := range 2 {
				c.NewEDTAt(c.Place((c.Worker()+1+k)%c.Workers()), memoryTree, edt.Params(depth-1))
			}
		}
	}))
	memorySum = edt.NewTemplate("runtime_test.memorySum", 0, 2, does(func(c *edt.Ctx, in edt.Args) {
		sum, all := uint64(0), datablock.ElementsOf[uint64](in.Dep(1).Bytes())
		for _, lane := range all[1:] { // the first word is the owner
			sum += lane
		}
		c.DestroyBlock(in.Dep(1).GUID())
		memorySums <- sum
	}))
}

// TestScopeMemory: the sum of what a finish scope's EDTs have added, on all workers of all ranks, is complete when the
// scope has closed.
func TestScopeMemory(t *testing.T) {
	for ranks := 2; ranks <= 3; ranks++ {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			testrun.OK(t, runRanks(t, ranks, 2, does(func(c *edt.Ctx, _ edt.Args) {
				done := c.NewEvent(edt.Once)
				all := c.NewScopeMemory(done, memoryOwner, 8, func(lane []byte) { clear(lane) })
				c.NewEDT(memorySum, nil, edt.From(done, datablock.Null), edt.From(all, datablock.RW))
				c.Spawn(memoryTree, &edt.Spec{Params: edt.Params(6), Finish: true, OutputEvent: done})
			})))
			testrun.Equal(t, 127, <-memorySums, "the sum over %d ranks", ranks)
		})
	}
}
