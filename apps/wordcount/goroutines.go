package wordcount

import (
	"context"
	"sync"

	"ocr/apps/trial"
)

// Forms are the work without EDTs.
func (a *App) Forms() []trial.Form {
	return []trial.Form{
		{Name: trial.Serial, Run: a.serial},
		{Name: trial.Naive, Run: a.naive},
		{Name: trial.Pooled, Run: a.pooled},
	}
}

// naive has a goroutine for each block, which gives its table to the one that merges. The number of
// workers is Go's own.
func (a *App) naive(ctx context.Context, _ int) error {
	a.Begin()
	r, tables := newReader(a), make(chan table)
	free := make(chan []byte, a.cfg.Ahead)
	for range a.cfg.Ahead {
		free <- make([]byte, bufferBytes(a.cfg.Block))
	}
	var failed error
	go func() {
		defer close(tables)
		var counting sync.WaitGroup
		defer counting.Wait()
		for r.Left > 0 {
			buffer := <-free
			words, err := r.read(buffer)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				failed = err
				return
			}
			counting.Go(func() {
				tables <- newTable().count(words, onHeap)
				free <- buffer
			})
		}
	}()
	counts := newTable()
	for t := range tables {
		counts = counts.merge(t, onHeap)
	}
	if failed != nil {
		return failed
	}
	a.End()
	a.counts = counts
	return nil
}

// pooled has a goroutine for each worker, with a buffer and a table of its own. They read in turn, and
// count what they have read. Nobody waits for a block while another one could be read.
func (a *App) pooled(ctx context.Context, workers int) error {
	a.Begin()
	var (
		turn   sync.Mutex // guards r and failed, and counts
		r      = newReader(a)
		failed error
		all    sync.WaitGroup
	)
	var counts table
	read := func(buffer []byte) (words []byte, more bool) {
		turn.Lock()
		defer turn.Unlock()
		if failed == nil {
			failed = ctx.Err()
		}
		if failed != nil || r.Left == 0 {
			return nil, false
		}
		words, failed = r.read(buffer)
		return words, failed == nil
	}
	for range workers {
		all.Go(func() {
			buffer, own := make([]byte, bufferBytes(a.cfg.Block)), newTable()
			for words, more := read(buffer); more; words, more = read(buffer) {
				own = own.count(words, onHeap)
			}
			turn.Lock()
			defer turn.Unlock()
			if counts.memory == nil {
				counts = own
			} else {
				counts = counts.merge(own, onHeap)
			}
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	a.End()
	a.counts = counts
	return nil
}
