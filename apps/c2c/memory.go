package c2c

import (
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
)

// Distances in bytes.
const (
	lineStep  = 256 // between the places that Config.Line chooses
	apart     = 128 // between elements on lines of their own: some processors fetch lines in pairs
	pageBytes = 4096
)

// A polling has the Config of a trial whose ends poll, and what the ends share beside the elements.
//
// Concurrency: each end stores its own ready word, which names its processor, and its report. The reports are read
// after both ends have returned. Either end may set stop; both read it.
type polling struct {
	Config
	_       [apart]byte
	ready   [2]padded
	stop    padded
	reports [2]report
}

type padded struct {
	word uint64
	_    [apart - 8]byte
}

// A report is an end's result of a trial.
type report struct {
	met           bool  // the other end has arrived
	elapsed       int64 // ns; 0: the end has not completed the transfers
	before, after trial.Sight
	_             [apart]byte
}

// memory returns the size of the block of the elements, with room to begin them at a page. A block may begin at any
// cache line, and on some processors latencies in the two lines of a pair differ by a tenth.
func (c Config) memory() int { return pageBytes + c.Line*lineStep + apart + c.Payload() }

// written returns the elements that A and B write, in a block for them. Each end polls the other's.
func written[T cell.Word](c Config, block []byte) (a, b []T) {
	page := block[-uintptr(unsafe.Pointer(unsafe.SliceData(block)))%pageBytes:]
	at := func(offset int) []T { return datablock.SliceOf[T](page[c.Line*lineStep+offset:])[:c.Length:c.Length] }
	if c.Test == Dual {
		return at(0), at(apart)
	}
	return at(0), at(0)
}
