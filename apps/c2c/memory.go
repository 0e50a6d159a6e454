package c2c

import (
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
)

// Distances in bytes between what must and must not share a cache line.
const (
	lineStep = 256 // between the places that Config.Line chooses
	apart    = 128 // between elements on lines of their own: some processors fetch lines in pairs
)

// control is the head of the block that two polling ends share.
//
// Concurrency: each end stores its own ready word, which names its processor, and, at its end, its own report; the
// collector reads the reports after both ends. Either end may set stop; both read it.
type control struct {
	ready [2]padded
	stop  padded
	ends  [2]struct {
		report report
		_      [apart - unsafe.Sizeof(report{})%apart]byte
	}
}

type padded struct {
	word uint64
	_    [apart - 8]byte
}

// A report is an end's result of a trial, flat as blocks are.
type report struct {
	elapsed       int64  // ns; 0: the end has not completed the transfers
	met           uint64 // 1: the other end has arrived
	before, after trial.Sight
}

var controlView = datablock.NewView[control]()

// offsets are the offsets in the block. Each is the start of a line.
type offsets struct {
	array [2]int // an element or array that A, B writes
	bytes int    // of the whole block
}

func (c Config) offsets() offsets {
	var o offsets
	base := roundUp(int(unsafe.Sizeof(control{})), lineStep) + c.Line*lineStep
	extent := roundUp(c.Payload(), apart)
	o.array = [2]int{base, base}
	if c.Test == Dual {
		o.array[1] = base + apart
	}
	o.bytes = o.array[1] + extent
	return o
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// written returns the elements that A and B write in the block. Each end polls the other's.
func written[T cell.Word](c Config, block []byte) (a, b []T) {
	o := c.offsets()
	return elements[T](block, o.array[0], c.Length), elements[T](block, o.array[1], c.Length)
}

// memory returns the bytes of a block in which [offsets] can begin at a page: blocks begin at any line, and on some
// processors the latency depends by a tenth on which half of a pair of lines an element is in.
func (c Config) memory() int { return c.offsets().bytes + pageBytes }

const pageBytes = 4096

// fromPage returns the part of memory from its first page boundary on.
func fromPage(memory []byte) []byte {
	return memory[-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%pageBytes:]
}

var chainView = datablock.NewView[chain]()

// chainBytes is the offset of the places for elements in a block of a chain of EDTs.
var chainBytes = roundUp(chainView.Size(), lineStep)

// taskBlock returns the bytes of such a block, with the elements at the place that Line chooses.
func (c Config) taskBlock() int { return chainBytes + c.Line*lineStep + c.Payload() }

// chainOf returns the head of such a block. It does not check the length, as a view would: on another worker the length
// is in a line that may still be on its way.
func chainOf(block *datablock.Dep) *chain { return (*chain)(block.Memory()) }

// elementsOf returns the elements behind the head.
func elementsOf[T cell.Word](h *chain) []T {
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(h), chainBytes+h.line*lineStep)), h.length)
}

// elements returns n elements of a block from a byte on.
func elements[T cell.Word](block []byte, at, n int) []T {
	return datablock.SliceOf[T](block[at:])[:n:n]
}
