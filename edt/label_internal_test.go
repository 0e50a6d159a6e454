package edt

import (
	"testing"

	"ocr/datablock"
	"ocr/guid"
)

// While the creator of a labelled object carries the kept calls out, calls of
// other workers queue up behind them.
func TestCallsDuringCreationQueueUp(t *testing.T) {
	g := NewGraph(Config{Workers: 2})
	defer g.Close()
	h := new(collector)
	creator, other := g.NewCtx(h), g.NewCtx(h)
	label := creator.Label(creator.NewRange(1, guid.KindEvent), 0)
	var blocks []guid.GUID
	for range 3 {
		blocks = append(blocks, creator.NewBlockNoAcquire(8))
	}
	creator.Satisfy(label, blocks[0])
	l := g.labels.of(label)
	l.kept = append(l.kept, keptCall{call: func(*Ctx, guid.GUID) { other.Satisfy(label, blocks[2]) }})
	creator.Satisfy(label, blocks[1])
	if err := creator.NewLabelledChannel(label, Unbounded); err != nil {
		t.Fatal(err)
	}
	var got []guid.GUID
	tmpl := creator.NewTemplate("receiver", 0, 1, func(_ *Ctx, in Args) guid.GUID {
		got = append(got, in.Dep(0).GUID())
		return guid.Null
	})
	for range blocks {
		creator.NewEDT(tmpl, nil, From(label, datablock.RW))
	}
	for _, k := range h.ready {
		creator.Execute(k)
	}
	if len(got) != 3 || got[0] != blocks[0] || got[1] != blocks[1] || got[2] != blocks[2] {
		t.Errorf("received %v, want %v", got, blocks)
	}
}

// A kept call that destroys the object leaves the rest for the next one.
func TestKeptCallsWaitForTheNextObject(t *testing.T) {
	c, h := newCtx(t)
	label := c.Label(c.NewRange(1, guid.KindEvent), 0)
	ran := 0
	tmpl := c.NewTemplate("waiter", 0, 1, func(*Ctx, Args) guid.GUID {
		ran++
		return guid.Null
	})
	c.NewEDT(tmpl, nil, From(label, datablock.RW))
	c.Satisfy(label, guid.Null)
	c.NewEDT(tmpl, nil, From(label, datablock.RW))
	for round := 1; round <= 2; round++ {
		if err := c.NewLabelledEvent(label, Once); err != nil {
			t.Fatal(err)
		}
		if round == 2 {
			c.Satisfy(label, guid.Null)
		}
		if len(h.ready) != round || c.Exists(label) {
			t.Fatalf("round %d: %d EDTs are ready, the object exists: %v", round, len(h.ready), c.Exists(label))
		}
	}
	for _, k := range h.ready {
		c.Execute(k)
	}
	if ran != 2 {
		t.Errorf("%d waiters ran", ran)
	}
}
