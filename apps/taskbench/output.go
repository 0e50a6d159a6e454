package taskbench

import (
	"fmt"
	"unsafe"

	"ocr/apps/trial"
)

// An output is one pair of words, repeated: the step; and the column, with the number of the graph in its upper bits.
// Tasks pass the bytes beyond the last whole pair on, but do not write or check them.
const (
	pairBytes  = 16
	graphShift = 40
)

func (g *Graph) outputWords() int {
	return (g.Output + pairBytes - 1) / pairBytes * (pairBytes / wordBytes)
}

func source(graph, point int) uint64 { return uint64(graph)<<graphShift | uint64(point) }

func fill(output []uint64, timestep int, source uint64) {
	if len(output) == 2 {
		output[0], output[1] = uint64(timestep), source
		return
	}
	for k := 0; k+1 < len(output); k += 2 {
		output[k], output[k+1] = uint64(timestep), source
	}
}

// differs compares every pair of an output with the right pair, and returns the index of the first wrong pair, -1 if
// all are right.
func differs(output []uint64, timestep int, source uint64) int {
	for k := 0; k+1 < len(output); k += 2 {
		if output[k] != uint64(timestep) || output[k+1] != source {
			return k / 2
		}
	}
	return -1
}

// scratchMagic fills scratch memory. All its bytes are equal, so kernels may copy any part of the memory to any other.
const scratchMagic = 0x5c5c5c5c5c5c5c5c

func fillScratch(words []uint64) {
	for k := range words {
		words[k] = scratchMagic
	}
}

func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), wordBytes*len(words))
}

// wrong returns the error of a task that has found got instead of want.
func wrong(graph, timestep, point int, what string, got, want any) *trial.VerifyError {
	return trial.Wrong("taskbench", fmt.Sprintf("graph %d, task (%d,%d): %s", graph, timestep, point, what), got, want)
}

// checkScratch returns an error if the scratch memory of a task does not begin with scratchMagic.
func (g *Graph) checkScratch(words []uint64, t, i int) *trial.VerifyError {
	if len(words) == 0 || words[0] == scratchMagic {
		return nil
	}
	return wrong(g.number, t, i, "first word of the scratch memory",
		fmt.Sprintf("%#x", words[0]), fmt.Sprintf("%#x", uint64(scratchMagic)))
}

// wrongPair returns the error of a wrong pair in an input of a task.
func wrongPair(graph, timestep, point, from int, output []uint64, pair int) *trial.VerifyError {
	task := func(timestep, source uint64) string {
		return fmt.Sprintf("graph %d, task (%d,%d)", source>>graphShift, timestep, source&(1<<graphShift-1))
	}
	return wrong(graph, timestep, point, fmt.Sprintf("pair %d of the output of (%d,%d)", pair, timestep-1, from),
		task(output[2*pair], output[2*pair+1]), task(uint64(timestep-1), source(graph, from)))
}
