package wordcount

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// windowBytes is how far back in the text a stream refers.
const windowBytes = 32 << 10

// A position is where in the stream a reader is.
type position struct {
	At     int // bytes of the stream that are read
	Window int // bytes of text in the window, which are its last ones
	Begun  int // bytes of a word that has begun, the last ones in the window
	Blocks int // of text that are read
}

// bufferBytes is how long a buffer is: a text block, and before it the beginning of its first word.
func bufferBytes(block int) int { return maxWord + block }

// next inflates the next block of a stream into a buffer, and moves the position. It returns which part
// of the buffer has whole words. The window has the text before the block, and is moved too.
func (p *position) next(stream, window, buffer []byte) (from, to int, err error) {
	frame := stream[p.At:]
	packed, n := int(binary.LittleEndian.Uint32(frame)), int(binary.LittleEndian.Uint32(frame[4:]))
	text := buffer[maxWord : maxWord+n]
	if err := inflate(frame[frameBytes:frameBytes+packed], window[windowBytes-p.Window:], text); err != nil {
		return 0, 0, fmt.Errorf("%s: block at byte %d of the stream: %w", appName, p.At, err)
	}
	from = maxWord - copy(buffer[maxWord-p.Begun:], window[windowBytes-p.Begun:])
	p.At += frameBytes + packed
	p.Blocks++
	p.slide(window, text)

	to = maxWord + n
	if p.ended(stream) {
		return from, to, nil
	}
	for to > from && isLetter(buffer[to-1]) {
		to--
	}
	p.Begun = maxWord + n - to
	return from, to, nil
}

// ended reports whether the stream is read to its end.
func (p *position) ended(stream []byte) bool { return p.At == len(stream) }

// slide makes the window end with a text.
func (p *position) slide(window, text []byte) {
	text = text[max(0, len(text)-windowBytes):]
	copy(window, window[len(text):])
	copy(window[windowBytes-len(text):], text)
	p.Window = min(p.Window+len(text), windowBytes)
}

// inflaters are decoders, which have no state from one use to the next: their memory is used again.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate decodes one block of a stream, of which the text before is given.
func inflate(packed, before, text []byte) error {
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), before); err != nil {
		return err
	}
	_, err := io.ReadFull(r, text)
	return err
}
