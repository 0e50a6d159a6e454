package wordcount

import "context"

// serial reads and counts block by block. ctx is asked between blocks.
func (a *App) serial(ctx context.Context, _ int) error {
	a.Begin()
	r, counts := newReader(a), newTable()
	buffer := make([]byte, bufferBytes(a.cfg.Block))
	for r.Left > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		words, err := r.read(buffer)
		if err != nil {
			return err
		}
		counts = counts.count(words, onHeap)
	}
	a.End()
	a.counts = counts
	return nil
}

// A reader is where a form is in the stream.
type reader struct {
	position
	stream, window []byte
}

func newReader(a *App) *reader {
	return &reader{position{Left: a.cfg.blocks()}, a.stream, make([]byte, windowBytes)}
}

// read returns the words of the next block, which are in the buffer.
func (r *reader) read(buffer []byte) ([]byte, error) {
	from, to, err := r.next(firstFrame(r.stream[r.At:]), r.window, buffer)
	return buffer[from:to], err
}
