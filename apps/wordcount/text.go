package wordcount

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
)

// maxWord is the most letters of a word. The text has none longer, so a buffer needs that much room for a
// word's beginning.
const maxWord = 16

// makeText writes words, drawn from a vocabulary as they are in natural languages: the k-th is k times as
// rare as the first. The last word may be cut.
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

// frameBytes are before each block of the stream: its length, and that of its text.
const frameBytes = 8

// pack compresses a text: one stream, flushed behind each block. It writes to memory, which does not fail.
func pack(text []byte, block int) []byte {
	var packed, piece bytes.Buffer
	w, err := flate.NewWriter(&piece, flate.BestSpeed)
	for part := range slices.Chunk(text, block) {
		piece.Reset()
		_, writing := w.Write(part)
		err = errors.Join(err, writing, w.Flush())
		var frame [frameBytes]byte
		binary.LittleEndian.PutUint32(frame[:], uint32(piece.Len()))
		binary.LittleEndian.PutUint32(frame[4:], uint32(len(part)))
		packed.Write(frame[:])
		packed.Write(piece.Bytes())
	}
	if err != nil {
		panic(err)
	}
	return packed.Bytes()
}
