package taskbench

import (
	"fmt"
	"unsafe"
)

// An output is one pair of words, repeated: the step, and the column with the number
// of the graph above it. Bytes beyond the last whole pair are passed on like the rest,
// but neither written nor checked.
const (
	pairBytes  = 16
	graphShift = 40
)

// pairWords returns the words of an output that are whole pairs.
func (g *Graph) pairWords() int { return g.Output / pairBytes * (pairBytes / wordBytes) }

// outputWords returns the words that hold an output.
func (g *Graph) outputWords() int {
	return (g.Output + pairBytes - 1) / pairBytes * (pairBytes / wordBytes)
}

func source(graph, point int) uint64 { return uint64(graph)<<graphShift | uint64(point) }

// fill writes the output of a task.
func fill(output []uint64, timestep int, source uint64) {
	if len(output) == 2 {
		output[0], output[1] = uint64(timestep), source
		return
	}
	for k := 0; k+1 < len(output); k += 2 {
		output[k], output[k+1] = uint64(timestep), source
	}
}

// differs compares every pair of an output with what it must be, and returns the
// first that is not so; -1 where all are right.
func differs(output []uint64, timestep int, source uint64) int {
	for k := 0; k+1 < len(output); k += 2 {
		if output[k] != uint64(timestep) || output[k+1] != source {
			return k / 2
		}
	}
	return -1
}

// scratchMagic is what scratch memory is filled with; kernels move it about.
const scratchMagic = 0x5c4a7c8b5c4a7c8b

// newScratch makes scratch memory that is filled, so that no page of it is touched for
// the first time while the clock runs.
func newScratch(bytes int) []uint64 {
	words := make([]uint64, bytes/wordBytes)
	fillScratch(words)
	return words
}

func fillScratch(words []uint64) {
	for k := range words {
		words[k] = scratchMagic
	}
}

// checkScratch returns an error where the scratch memory of a task is not its column's.
func (g *Graph) checkScratch(words []uint64, t, i int) error {
	if len(words) != 0 && words[0] != scratchMagic {
		return &VerifyError{Graph: g.number, Timestep: t, Point: i, Flaw: FlawScratch}
	}
	return nil
}

func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), wordBytes*len(words))
}

// A Flaw is what is wrong with an input.
type Flaw uint8

const (
	// FlawValue: a pair is not that of the output which was expected.
	FlawValue Flaw = iota + 1
	// FlawMissing: no output came.
	FlawMissing
	// FlawExtra: an output came that the task does not depend on.
	FlawExtra
	// FlawCount: the task's EDT has another number of slots.
	FlawCount
	// FlawScratch: the scratch memory is not the column's.
	FlawScratch
)

// A VerifyError is the first wrong thing that a task has found.
type VerifyError struct {
	Graph, Timestep, Point int // the task
	Flaw                   Flaw
	From                   int // the column whose output was expected
	Pair                   int // FlawValue: the number of the pair
	// FlawValue: what the pair says.
	GotGraph, GotTimestep, GotPoint int
	// FlawCount: slots.
	Got, Want int
}

func (e *VerifyError) Error() string {
	at := fmt.Sprintf("taskbench: verification failed in graph %d, task (%d,%d): ", e.Graph, e.Timestep, e.Point)
	switch e.Flaw {
	case FlawMissing:
		return at + fmt.Sprintf("no output came from (%d,%d)", e.Timestep-1, e.From)
	case FlawExtra:
		return at + fmt.Sprintf("an output came from column %d, which has none in step %d", e.From, e.Timestep-1)
	case FlawCount:
		return at + fmt.Sprintf("%d slots, expected %d", e.Got, e.Want)
	case FlawScratch:
		return at + "the scratch memory was overwritten"
	}
	return at + fmt.Sprintf("pair %d of the output of (%d,%d) says graph %d, task (%d,%d)",
		e.Pair, e.Timestep-1, e.From, e.GotGraph, e.GotTimestep, e.GotPoint)
}

// wrongPair says what a pair of an input of a task is.
func wrongPair(graph, timestep, point, from int, output []uint64, pair int) *VerifyError {
	return &VerifyError{
		Graph: graph, Timestep: timestep, Point: point, Flaw: FlawValue, From: from, Pair: pair,
		GotTimestep: int(output[2*pair]),
		GotGraph:    int(output[2*pair+1] >> graphShift),
		GotPoint:    int(output[2*pair+1] & (1<<graphShift - 1)),
	}
}
