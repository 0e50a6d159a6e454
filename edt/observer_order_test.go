package edt_test

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// An orderly observer checks that it sees an event's satisfaction before its consequences,
// on whatever worker they are.
type orderly struct {
	edt.NopObserver
	t         *testing.T
	mu        *sync.Mutex
	satisfied map[guid.GUID]bool
	telling   *atomic.Int32 // how many satisfactions were begun to be told
}

func (o *orderly) EventSatisfied(event, _, _ guid.GUID, _ int) {
	o.telling.Add(1)
	time.Sleep(50 * time.Microsecond) // time for what must not happen yet
	o.mu.Lock()
	defer o.mu.Unlock()
	o.satisfied[event] = true
}

func (o *orderly) SlotSatisfied(task guid.GUID, slot int, from, _ guid.GUID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !from.IsNull() && !o.satisfied[from] {
		o.t.Errorf("slot %d of %v is satisfied by %v, which is not", slot, task, from)
	}
}

// One EDT satisfies events while another, on another worker, adds a dependence to each
// as soon as the observer sees its satisfaction.
func TestSatisfactionIsObservedBeforeItsConsequences(t *testing.T) {
	all := &orderly{t: t, mu: new(sync.Mutex), satisfied: make(map[guid.GUID]bool), telling: new(atomic.Int32)}
	err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
		events := make([]guid.GUID, 300)
		for k := range events {
			events[k] = c.NewEvent([]edt.EventType{edt.Sticky, edt.Idempotent}[k%2])
		}
		waiter := c.NewTemplate("waiter", 0, 1, body(nothing))
		adder := c.NewTemplate("adder", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			for k, e := range events {
				for int(all.telling.Load()) <= k {
					goruntime.Gosched()
				}
				c.NewEDT(waiter, nil, edt.From(e, datablock.Null))
			}
		}))
		satisfier := c.NewTemplate("satisfier", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			for _, e := range events {
				c.Satisfy(e, guid.Null)
			}
		}))
		c.NewEDTAt(c.Bind(1), adder, nil)
		c.NewEDTAt(c.Bind(2), satisfier, nil)
	}), runtime.Workers(3), runtime.Observe(func(*edt.Worker) edt.Observer { return all }))
	if err != nil {
		t.Fatal(err)
	}
}
