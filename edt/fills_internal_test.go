package edt

import (
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/rank"
)

// TestFillsAndBurialsTakeTurns: while a message fills a slot no worker buries the EDT, and the other way round.
func TestFillsAndBurialsTakeTurns(t *testing.T) {
	for name, act := range map[string]func(c *Ctx, task guid.GUID){
		"fill": func(c *Ctx, task guid.GUID) {
			m := &rank.Message{Kind: msgFill, Count: 5}
			putGUID(m, 0, task)
			c.handleFill(m)
		},
		"burial": func(c *Ctx, task guid.GUID) { c.DestroyEDT(task) },
	} {
		t.Run(name, func(t *testing.T) {
			loop, run := rank.NewLoop(2, nil), ids.NewRun()
			g := NewGraph(Config{Workers: 1, Ranks: &Ranks{Engine: loop.Engine(0), Run: run}})
			defer g.Close()
			c := g.NewWorker(new(collector)).Ctx()
			elsewhere := guid.FromWords(g.space.Of(1).High(uint8(guid.KindEvent)), 1<<63)
			task := c.NewEDT(c.NewTemplate("waits", 0, 2, func(*Ctx, Args) guid.GUID {
				return guid.Null
			}), nil, From(elsewhere, datablock.RW), Open)
			_, lo := task.Words()
			slot := &g.edts.Lookup(lo).slots[0]
			before := slot.state()
			g.away.fills.Lock()
			done := make(chan bool)
			go func() {
				act(c, task)
				close(done)
			}()
			for range 1000 {
				goruntime.Gosched()
			}
			if now := atomic.LoadUint64(&slot.link) & linkState; now != before || g.edts.Lookup(lo) == nil {
				t.Errorf("slot in state %v, was %v, and the EDT is %v", now, before, g.edts.Lookup(lo))
			}
			g.away.fills.Unlock()
			<-done
		})
	}
}
