package wordcount

import (
	"unsafe"

	"ocr/edt"
	"ocr/task"
)

// A shelf is what an EDT that reads needs: text, and channels of buffers and tables that no EDT uses. If there is one
// shelf, any idle worker reads and counts. If each table has a shelf, the shelf has a place too: the places take turns,
// and a block of text is read where it is counted.
type shelf struct {
	Text   task.Block[source] // the part of the stream that is read there
	Free   task.Event[byte]   // brings buffers that may be filled
	Tables task.Event[byte]   // brings tables
}

// A source is frames, and how many of their bytes are read.
type source = task.Headed[int, byte]

// A plan says how much there is to read, and how much is under way at a time.
type plan struct {
	Blocks               int // of text
	Buffers, BufferBytes int // of each shelf
	Lanes                int // tables, and EDTs that count at a time
	Shelves              int // 1 or Lanes
}

// at returns the shelf for a block of text, and the place where the block is read and counted, when that many blocks
// are left.
func (p plan) at(c *edt.Ctx, left int) (shelf int, place edt.Affinity) {
	if p.Shelves == 1 {
		return 0, edt.Affinity(0)
	}
	shelf = left % p.Shelves
	return shelf, c.Place(shelf)
}

// split returns the frames of a stream by shelf, behind a head each.
func (p plan) split(c *edt.Ctx, stream []byte) [][]byte {
	parts, left := make([][]byte, p.Shelves), p.Blocks
	for k := range parts {
		parts[k] = make([]byte, unsafe.Sizeof(int(0)))
	}
	for frame := range frames(stream) {
		k, _ := p.at(c, left)
		parts[k] = append(parts[k], frame...)
		left--
	}
	return parts
}
