package wordcount

import (
	"context"
	"sync"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.pooled) }

// A reader is where a form is in the stream.
type reader struct {
	position
	stream, window []byte
}

func newReader(a *App) *reader {
	return &reader{position{Left: a.cfg.blocks()}, a.stream, make([]byte, windowBytes)}
}

// read returns the words of the next block, which are in the buffer, unless ctx is done.
func (r *reader) read(ctx context.Context, buffer []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	from, to, err := r.next(firstFrame(r.stream[r.At:]), r.window, buffer)
	return buffer[from:to], err
}

// end ends a run, unless it has failed.
func (a *App) end(counts table, failed error) error {
	if failed == nil {
		a.End()
		a.counts = counts
	}
	return failed
}

// serial reads and counts block by block.
func (a *App) serial(ctx context.Context, _ int) error {
	a.Begin()
	r, counts := newReader(a), newTable()
	buffer := make([]byte, bufferBytes(a.cfg.Block))
	for r.Left > 0 {
		words, err := r.read(ctx, buffer)
		if err != nil {
			return err
		}
		counts = counts.count(words, onHeap)
	}
	return a.end(counts, nil)
}

// pooled has a goroutine for each worker, with a buffer and a table of its own. They read in turn, and count what they
// have read, so no goroutine waits for a block while another one could be read.
func (a *App) pooled(ctx context.Context, workers int) error {
	var (
		turn   sync.Mutex // guards r, failed and counts
		r      *reader
		failed error
		counts = newTable()
	)
	begin := func() {
		a.Begin()
		r = newReader(a)
	}
	read := func(buffer []byte) (words []byte, more bool) {
		turn.Lock()
		defer turn.Unlock()
		if failed != nil || r.Left == 0 {
			return nil, false
		}
		words, failed = r.read(ctx, buffer)
		return words, failed == nil
	}
	trial.Gang(workers, begin, func(int) {
		buffer, own := make([]byte, bufferBytes(a.cfg.Block)), newTable()
		for words, more := read(buffer); more; words, more = read(buffer) {
			own = own.count(words, onHeap)
		}
		turn.Lock()
		defer turn.Unlock()
		counts = own.merge(counts, onHeap)
	})
	return a.end(counts, failed)
}
