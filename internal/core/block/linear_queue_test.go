package block_test

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/model/history"
	"ocr/internal/proof/testrun"
)

// The calls on a block's record, as histories record them. A waiter makes two: it
// queues, and is granted the block by another holder's release.
const (
	acquired = iota // without waiting
	queued
	granted
	released
)

type blockCall struct {
	kind int
	edt  uint32
	mode datablock.Mode
}

// letter returns a mode as a blockState has it.
func letter(m datablock.Mode) string { return string(rune('a' + m)) }

// blockState is the modes of the block's holders and of its waiters, the first in front.
// EDTs of one mode are not distinguished.
type blockState struct{ held, waiting string }

func (s blockState) admits(m datablock.Mode) bool {
	return !slices.ContainsFunc([]byte(s.held), func(h byte) bool { return !compatible(m, datablock.Mode(h-'a')) })
}

// blockSpec specifies a block: the modes of its holders agree, its queue is served in
// order, and only readers pass the queue.
var blockSpec = porcupine.Model{
	Init: func() any { return blockState{} },
	Step: func(state, input, _ any) (bool, any) {
		s, c := state.(blockState), input.(blockCall)
		own := letter(c.mode)
		switch c.kind {
		case acquired:
			if !s.admits(c.mode) || c.mode != datablock.RO && s.waiting != "" {
				return false, s
			}
			s.held = sorted(s.held + own)
		case queued:
			if c.mode == datablock.RO || s.admits(c.mode) && s.waiting == "" {
				return false, s
			}
			s.waiting += fmt.Sprintf("%s%d ", own, c.edt)
		case granted:
			rest, first := strings.CutPrefix(s.waiting, fmt.Sprintf("%s%d ", own, c.edt))
			if !first || !s.admits(c.mode) {
				return false, s
			}
			s = blockState{sorted(s.held + own), rest}
		case released:
			before, after, held := strings.Cut(s.held, own)
			if !held {
				return false, s
			}
			s.held = before + after
		}
		return true, s
	},
	DescribeOperation: func(input, _ any) string {
		c := input.(blockCall)
		return fmt.Sprintf("EDT %d %s in mode %v", c.edt, [...]string{"acquires", "queues", "is granted", "releases"}[c.kind],
			c.mode)
	},
}

func sorted(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

// TestBlockQueueIsLinearizable has workers acquire a block for EDTs, hold it and release
// it. The worker that releases it goes on for the EDTs that are granted the block by that.
func TestBlockQueueIsLinearizable(t *testing.T) {
	const workers, each = 3, 3
	rounds := testrun.Sized(3000, 30_000, 600_000)
	s, locals := newStore(t, 0, workers)
	waited := 0
	for round := range rounds {
		i, b := create(t, locals[0], 8, false)
		r := history.New(workers)
		var asked [workers*each + 1]int64
		var all []func()
		for w := range workers {
			all = append(all, func() {
				for n := range each {
					k := uint32(w*each + n + 1)
					waiter := block.Waiter{EDT: k, Mode: modes[(round>>(2*n)+w*5+n)%len(modes)]}
					asked[k] = r.Now()
					kind := acquired
					if !b.TryAcquire(waiter.Mode) {
						if k%2 == 1 {
							goruntime.Gosched() // the holder may release meanwhile
						}
						if s.Wait(b.Low(i), b, waiter) == block.Queued {
							kind = queued
						}
					}
					r.Note(w, blockCall{kind, k, waiter.Mode}, asked[k], nil, r.Now())
					if kind == acquired {
						release(r, w, locals[w], i, b, waiter, asked[:])
					}
				}
			})
		}
		r.Together(all...)
		r.Check(t, blockSpec)
		for _, op := range r.History() {
			if op.Input.(blockCall).kind == granted {
				waited++
			}
		}
		s.Waiting(func(_ uint32, w block.Waiter) { t.Fatalf("EDT %d still waits for a free block", w.EDT) })
		locals[0].Destroy(i, b)
	}
	if waited == 0 {
		t.Error("no EDT waited: the test tests nothing")
	}
	t.Logf("%d EDTs waited in %d histories", waited, rounds)
}

// release releases a block for w, and then for each EDT that is granted the block by that.
func release(r *history.Recorder, client int, l *block.Local, i uint32, b *block.Record, w block.Waiter,
	asked []int64) {
	for todo := []block.Waiter{w}; len(todo) > 0; todo = todo[1:] {
		holder, before := todo[0], len(todo)
		if holder.EDT%2 == 0 {
			goruntime.Gosched() // other workers acquire or queue meanwhile
		}
		begin := r.Now()
		todo = l.Release(i, b, holder.Mode, todo)
		end := r.Now()
		r.Note(client, blockCall{released, holder.EDT, holder.Mode}, begin, nil, end)
		for _, g := range todo[before:] {
			r.Note(client, blockCall{granted, g.EDT, g.Mode}, asked[g.EDT], nil, end)
		}
	}
}
