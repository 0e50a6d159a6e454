package wordcount

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"sync"
)

// windowBytes is how far back in the text a stream refers.
const windowBytes = 32 << 10

// A position is where in the stream a reader is.
type position struct {
	At     int // bytes of the stream that are read
	Left   int // blocks of text that are not
	Window int // bytes of text in the window, which are its last ones
	Begun  int // bytes of a word that has begun, the last ones in the window
}

// frames returns the parts of a stream: frame after frame, each with a block of text.
func frames(stream []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(stream) > 0 && yield(firstFrame(stream)) {
			stream = stream[len(firstFrame(stream)):]
		}
	}
}

// firstFrame is what a stream begins with.
func firstFrame(stream []byte) []byte {
	return stream[:frameBytes+int(binary.LittleEndian.Uint32(stream))]
}

// bufferBytes is how long a buffer is: a text block, and before it the beginning of its first word.
func bufferBytes(block int) int { return maxWord + block }

// next inflates the next frame of a stream into a buffer, and moves the position. It returns which part
// of the buffer has whole words. The window has the text before the block, and is moved too.
func (p *position) next(frame, window, buffer []byte) (from, to int, err error) {
	n := int(binary.LittleEndian.Uint32(frame[4:]))
	text := buffer[maxWord : maxWord+n]
	if err := inflate(frame[frameBytes:], window[windowBytes-p.Window:], text); err != nil {
		return 0, 0, fmt.Errorf("%s: block at byte %d of the stream: %w", appName, p.At, err)
	}
	from = maxWord - copy(buffer[maxWord-p.Begun:], window[windowBytes-p.Begun:])
	p.At += len(frame)
	p.Left--
	p.slide(window, text)

	to = maxWord + n
	if p.Left == 0 {
		return from, to, nil
	}
	for to > from && isLetter(buffer[to-1]) {
		to--
	}
	p.Begun = maxWord + n - to
	return from, to, nil
}

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
