package wordcount

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
)

// maxWord is the number of letters of the longest word. A buffer has this much room for a word that begins in the block
// before.
const maxWord = 16

// makeText writes words that are drawn from a vocabulary by Zipf's law, as those of natural languages: word k of 0, 1,
// ... comes with a probability in proportion to (4+k)^-1.1. The last word may be cut.
func makeText(c Config) []byte {
	draw := rand.New(rand.NewPCG(c.Seed, 0))
	words := make([][]byte, c.Vocabulary)
	for k := range words {
		words[k] = make([]byte, 2+draw.IntN(4)+draw.IntN(maxWord-4))
		for i := range words[k] {
			words[k][i] = byte('a' + draw.IntN(26))
		}
	}
	rank := rand.NewZipf(draw, 1.1, 4, uint64(c.Vocabulary-1))
	text := make([]byte, 0, c.Text+maxWord+2)
	for n := 1; len(text) < c.Text; n++ {
		text = append(text, words[rank.Uint64()]...)
		switch {
		case n%97 == 0:
			text = append(text, '.', '\n')
		case n%11 == 0:
			text = append(text, '\n')
		default:
			text = append(text, ' ')
		}
	}
	return text[:c.Text]
}

// frameBytes precede each block of the stream: its length, and that of its text.
const frameBytes = 8

// pack compresses a text: one stream, flushed after each block. It writes to memory, which cannot fail.
func pack(text []byte, block int) []byte {
	var packed, piece bytes.Buffer
	w, err := flate.NewWriter(&piece, flate.BestSpeed)
	for part := range slices.Chunk(text, block) {
		piece.Reset()
		_, writing := w.Write(part)
		err = errors.Join(err, writing, w.Flush())
		frame := binary.LittleEndian.AppendUint32(nil, uint32(piece.Len()))
		packed.Write(binary.LittleEndian.AppendUint32(frame, uint32(len(part))))
		packed.Write(piece.Bytes())
	}
	if err != nil {
		panic(err)
	}
	return packed.Bytes()
}

// windowBytes is how many bytes back in the text a stream may refer.
const windowBytes = 32 << 10

// A position is the position of a reader in the stream.
type position struct {
	At     int // bytes of the stream that are read
	Left   int // blocks of text that are not read
	Window int // bytes of text in the window: its last ones
	Begun  int // bytes of an unfinished word: the last ones in the window
}

// bufferBytes returns the size of a buffer: a block of text, and before it the beginning of its first word.
func bufferBytes(block int) int { return maxWord + block }

// next inflates the next block of text into a buffer, and advances the position and the window, which has the text
// before the block. It returns the part of the buffer that has whole words.
func (p *position) next(stream, window, buffer []byte) (from, to int, err error) {
	frame := stream[p.At:]
	packed, n := int(binary.LittleEndian.Uint32(frame)), int(binary.LittleEndian.Uint32(frame[4:]))
	text := buffer[maxWord : maxWord+n]
	if err := inflate(frame[frameBytes:][:packed], window[windowBytes-p.Window:], text); err != nil {
		return 0, 0, fmt.Errorf("%s: block at byte %d of the stream: %w", appName, p.At, err)
	}
	from, to = maxWord-copy(buffer[maxWord-p.Begun:], window[windowBytes-p.Begun:]), maxWord+n
	p.At += frameBytes + packed
	p.Left--
	slide := text[max(0, n-windowBytes):]
	copy(window, window[len(slide):])
	copy(window[windowBytes-len(slide):], slide)
	p.Window = min(p.Window+n, windowBytes)
	for p.Left > 0 && to > from && isLetter(buffer[to-1]) {
		to--
	}
	p.Begun = maxWord + n - to
	return from, to, nil
}

// inflaters keeps decoders, to use their memory again: a decoder is reset before each use.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate decodes one block of a stream; before is the text before the block.
func inflate(packed, before, text []byte) error {
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), before); err != nil {
		return err
	}
	_, err := io.ReadFull(r, text)
	return err
}
