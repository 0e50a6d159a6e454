package edt_test

import (
	"context"
	"fmt"
	"reflect"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// A chronicle is an observer that notes its calls, with short names for objects.
type chronicle struct {
	edt.NopObserver // chronicle overrides all its methods, see TestChronicleMissesNothing
	w               *edt.Worker
	lines           *[]string
	names           map[guid.GUID]string
}

func (o *chronicle) name(g guid.GUID) string {
	if g.IsNull() {
		return "-"
	}
	if o.names[g] == "" {
		o.names[g] = fmt.Sprintf("%v%d", g.Kind(), len(o.names))
	}
	return o.names[g]
}

func (o *chronicle) say(format string, args ...any) {
	*o.lines = append(*o.lines, fmt.Sprintf("%s: ", o.name(o.w.Ctx().Self()))+fmt.Sprintf(format, args...))
}

func (o *chronicle) EDTCreated(e guid.GUID, t *edt.Template, slots int) {
	o.names[e] = t.Name()
	o.say("create %s/%d", o.name(e), slots)
}
func (o *chronicle) EDTGranted(e guid.GUID) { o.say("granted %s", o.name(e)) }
func (o *chronicle) EDTReady(e guid.GUID)   { o.say("ready %s", o.name(e)) }
func (o *chronicle) EDTBegin(e guid.GUID, t *edt.Template, in edt.Args) {
	o.say("begin %s, %d deps", t.Name(), len(in.Deps()))
}
func (o *chronicle) EDTReturned(e guid.GUID)  { o.say("returned %s", o.name(e)) }
func (o *chronicle) EDTEnded(e guid.GUID)     { o.say("ended %s", o.name(e)) }
func (o *chronicle) EDTPanicked(v any)        { o.say("panicked %v", v) }
func (o *chronicle) EDTDestroyed(e guid.GUID) { o.say("destroy %s", o.name(e)) }
func (o *chronicle) EventCreated(e guid.GUID, t edt.EventType) {
	o.names[e] = t.String()
	o.say("create %s", o.name(e))
}
func (o *chronicle) EventSatisfied(e, from, block guid.GUID, slot int) {
	o.say("satisfy %s/%d with %s by %s", o.name(e), slot, o.name(block), o.name(from))
}
func (o *chronicle) EventDestroyed(e guid.GUID) { o.say("destroy %s", o.name(e)) }
func (o *chronicle) DependenceAdded(src, dst guid.GUID, slot int, m datablock.Mode) {
	o.say("depend %s -> %s/%d %v", o.name(src), o.name(dst), slot, m)
}
func (o *chronicle) SlotSatisfied(e guid.GUID, slot int, from, block guid.GUID) {
	o.say("slot %s/%d gets %s from %s", o.name(e), slot, o.name(block), o.name(from))
}
func (o *chronicle) BlockCreated(b guid.GUID, size int, bytes []byte) []byte {
	o.names[b] = fmt.Sprintf("block%d", size)
	o.say("create %s, held %v", o.name(b), bytes != nil)
	return bytes
}
func (o *chronicle) BlockReleased(b guid.GUID, m datablock.Mode, downgraded bool) {
	o.say("release %s %v %v", o.name(b), m, downgraded)
}
func (o *chronicle) BlockUnordered(b guid.GUID, uses edt.Unordered) {
	o.say("unordered %s %d", o.name(b), uses)
}
func (o *chronicle) ScopeOpened(scope, e guid.GUID)   { o.say("scope of %s", o.name(e)) }
func (o *chronicle) ScopeClosed(scope, out guid.GUID) { o.say("scope closed, to %s", o.name(out)) }
func (o *chronicle) CallDeferred(call uint64)         { o.say("deferred %d", call) }
func (o *chronicle) CallResumed(call uint64)          { o.say("resumed %d", call) }
func (o *chronicle) BlockDestroyed(b guid.GUID)       { o.say("destroy %s", o.name(b)) }
func (o *chronicle) WorkerIdle()                      {}
func (o *chronicle) WorkerParked()                    {}
func (o *chronicle) WorkerWoke()                      {}
func (o *chronicle) WorkerBusy()                      {}
func (o *chronicle) WorkerStole(int)                  {}

func TestChronicleMissesNothing(t *testing.T) {
	typ := reflect.TypeFor[*chronicle]()
	for k := range typ.NumMethod() {
		m := typ.Method(k)
		f := goruntime.FuncForPC(m.Func.Pointer())
		if file, _ := f.FileLine(f.Entry()); !strings.HasSuffix(file, "_test.go") {
			t.Errorf("chronicle has no method %s of its own", m.Name)
		}
	}
}

// noting makes a chronicle for each worker, which adds to lines.
func noting(lines *[]string) func(w *edt.Worker) edt.Observer {
	return func(w *edt.Worker) edt.Observer {
		return &chronicle{edt.NopObserver{}, w, lines, map[guid.GUID]string{}}
	}
}

// observed runs a program on one pretended worker with an observer.
func observed(main edt.Func, observe func(w *edt.Worker) edt.Observer) error {
	h := edttest.New(1, edt.Config{Workers: 1, Observe: observe})
	defer h.Graph.Close()
	return h.Run(main)
}

// chronicleOf runs a program, and returns the calls of its observer.
func chronicleOf(t *testing.T, main edt.Func) (lines []string) {
	t.Helper()
	testrun.OK(t, observed(main, noting(&lines)))
	return lines
}

func TestObserverSeesEverything(t *testing.T) {
	got := chronicleOf(t, body(func(c *edt.Ctx, in edt.Args) {
		worker := c.NewTemplate("worker", 0, 2, body(func(c *edt.Ctx, in edt.Args) {
			c.Downgrade(in.Dep(0).GUID())
			c.DestroyBlock(in.Dep(0).GUID())
		}))
		c.DestroyBlock(in.Dep(0).GUID())
		first, second := c.NewEvent(edt.Once), c.NewEvent(edt.Sticky)
		c.AddDependence(first, second, 0, datablock.RW)
		c.NewEDT(worker, nil, edt.From(second, datablock.RW), edt.From(guid.Null, datablock.Null))
		block, _ := c.NewBlock(16)
		c.Synchronised(block)
		c.AllowUnordered(block, edt.ExclusiveWriters)
		c.Release(block)
		c.Satisfy(first, block)
		c.DestroyEDT(c.NewEDT(worker, nil))
		late := c.NewEDT(c.NewTemplate("late", 0, 2, body(nothing)), nil, edt.Open, rw(guid.Null))
		c.AddDependence(second, late, 0, datablock.Null)
		c.DestroyEvent(second)
		c.DestroyTemplate(worker)
	}))
	testrun.Golden(t, "chronicle.golden", strings.Join(got, "\n")+"\n")
}

// TestObserverKnowsSources: a satisfaction by a latch, a channel or the end of an EDT is reported with its source.
func TestObserverKnowsSources(t *testing.T) {
	got := chronicleOf(t, body(func(c *edt.Ctx, in edt.Args) {
		c.DestroyBlock(in.Dep(0).GUID())
		task := c.NewEDT(c.NewTemplate("sink", 0, 3, body(nothing)), nil)
		latch, channel := c.NewLatch(1), c.NewChannel(edt.Unbounded)
		c.AddDependence(latch, task, 0, datablock.Null)
		c.Satisfy(channel, guid.Null)
		c.AddDependence(channel, task, 1, datablock.Null)
		c.Satisfy(latch, guid.Null)
		source, out := c.Spawn(c.NewTemplate("source", 0, 1, body(nothing)), &edt.Spec{Output: true})
		c.AddDependence(out, task, 2, datablock.Null)
		c.AddDependence(guid.Null, source, 0, datablock.Null)
		c.DestroyEvent(channel)
	}))
	testrun.Golden(t, "sources.golden", strings.Join(got, "\n")+"\n")
}

func TestObserverSeesPanics(t *testing.T) {
	var lines []string
	testrun.Fails(t, observed(func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") }, noting(&lines)), "ouch")
	testrun.Equal(t, "main: panicked ouch", lines[len(lines)-1], "the last observed call")
}

// TestObserveAllCallsAll: several observers of a worker get the same calls, in the same order.
func TestObserveAllCallsAll(t *testing.T) {
	var first, second []string
	nop := func(*edt.Worker) edt.Observer { return edt.NopObserver{} }
	err := observed(body(func(c *edt.Ctx, in edt.Args) {
		one := c.NewTemplate("one", 0, 1, body(func(c *edt.Ctx, in edt.Args) {
			c.DestroyBlock(in.Dep(0).GUID())
		}))
		c.Synchronised(in.Dep(0).GUID())
		c.DestroyEvent(then(eventOf(edt.Sticky), satisfy)(c))
		c.Satisfy(c.NewLatch(1), guid.Null)
		c.DestroyBlock(c.NewBlockNoAcquire(8))
		c.DestroyEDT(c.NewEDT(one, nil))
		task, _ := c.Spawn(one, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{edt.Open}})
		c.Release(in.Dep(0).GUID())
		c.AddDependence(in.Dep(0).GUID(), task, 0, datablock.RW)
		bad := c.NewTemplate("bad", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") })
		c.Spawn(bad, &edt.Spec{Hint: edt.Hint{Priority: -1}})
	}), edt.ObserveAll(noting(&first), nop, noting(&second)))
	testrun.Fails(t, err, "ouch")
	if testrun.Same(t, first, second, "calls of two observers"); len(first) < 30 {
		t.Errorf("only the calls %q", first)
	}
}

// A bracket notes the begin and the return of each body.
type bracket struct {
	edt.NopObserver
	name  string
	notes *[]string
}

func (b bracket) EDTBegin(guid.GUID, *edt.Template, edt.Args) { *b.notes = append(*b.notes, b.name) }
func (b bracket) EDTReturned(guid.GUID)                       { *b.notes = append(*b.notes, b.name) }

// TestFirstObserverSeesTheBodyAlone: no other observer comes between the body and the first one.
func TestFirstObserverSeesTheBodyAlone(t *testing.T) {
	var notes []string
	one := func(name string) func(*edt.Worker) edt.Observer {
		return func(*edt.Worker) edt.Observer { return bracket{name: name, notes: &notes} }
	}
	h := edttest.New(1, edt.Config{Workers: 1, Observe: edt.ObserveAll(one("a"), one("b"), one("c"))})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(func(*edt.Ctx, edt.Args) {})))
	testrun.Equal(t, "c b a a b c", strings.Join(notes, " "), "begins and returns")
}

// An orderly observer checks that it sees an event's satisfaction before its consequences, on whatever worker they are.
type orderly struct {
	edt.NopObserver
	t         *testing.T
	mu        *sync.Mutex
	satisfied map[guid.GUID]bool
	telling   *atomic.Int32 // number of satisfactions whose report has begun
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

// TestSatisfactionIsObservedBeforeItsConsequences: one EDT satisfies events while another, on another worker, adds a
// dependence to each as soon as the observer sees its satisfaction.
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
	testrun.OK(t, err)
}
