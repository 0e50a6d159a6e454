package runtime

import (
	"errors"
	"flag"
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestLoadReadyEDTs makes very many EDTs ready before the first of them runs.
func TestLoadReadyEDTs(t *testing.T) {
	n := sized(500_000, 10_000_000)
	for _, where := range []string{"anywhere", "placed", "bound", "priority"} {
		var ran atomic.Int64
		r := mustRun(t, starting(func(c *edt.Ctx) {
			work := body(c, func(*edt.Ctx) { ran.Add(1) })
			// Main may run on either worker: it is bound to none.
			other := 1 - c.Worker()
			h := map[string]edt.Hint{
				"placed": {Affinity: c.Place(other)}, "bound": {Affinity: c.Bind(c.Worker())}, "priority": {Priority: 3},
			}[where]
			work.SetHint(h)
			busy, created := make(chan bool), make(chan bool)
			c.NewEDTAt(c.Bind(other), body(c, func(*edt.Ctx) { // keeps the other worker from running an EDT
				close(busy)
				<-created
			}), nil)
			<-busy
			for range n {
				c.NewEDT(work, nil)
			}
			close(created)
		}), Workers(2))
		if ran.Load() != int64(n) || r.Counters.EDTRun != uint64(n)+2 {
			t.Errorf("%s: %d ran, %d counted, want %d", where, ran.Load(), r.Counters.EDTRun, n)
		}
	}
}

// TestLoadSlots runs an EDT with very many slots, which are filled by as many events, by as many blocks, or by nothing.
func TestLoadSlots(t *testing.T) {
	for _, tc := range []struct {
		from string
		n    int
	}{
		{"events", sized(100_000, 1_000_000)}, {"blocks", sized(100_000, 1_000_000)},
		{"nothing", sized(100_000, edt.MaxDeps)},
	} {
		for _, workers := range []int{1, 3} {
			got := uint64(0)
			r := mustRun(t, starting(func(c *edt.Ctx) { manySlots(c, tc.from, tc.n, &got) }), Workers(workers), LeakReport())
			want := uint64(0)
			if tc.from != "nothing" {
				want = uint64(tc.n) * uint64(tc.n+1) / 2
			}
			testrun.Equal(t, want, got, "%d slots from %s: sum of the blocks", tc.n, tc.from)
			leaks(t, r, 2)
		}
	}
}

// manySlots makes an EDT with n slots, which adds up the numbers in its blocks and destroys the blocks. If from is
// "events", EDTs on all workers make the blocks.
func manySlots(c *edt.Ctx, from string, n int, sum *uint64) {
	events := make([]guid.GUID, n)
	deps := make([]edt.Source, n)
	for k := range deps {
		deps[k] = edt.From(guid.Null, datablock.RO)
		if from == "events" {
			events[k] = c.NewEvent(edt.Once)
			deps[k] = edt.From(events[k], datablock.RO)
		}
	}
	all := c.NewTemplate("all", 0, n, does(func(c *edt.Ctx, in edt.Args) {
		for k := range in.Deps() {
			if d := in.Dep(k); !d.IsNull() {
				*sum += datablock.Slice[uint64](d)[0]
				c.DestroyBlock(d.GUID())
			}
		}
	}))
	if from == "blocks" {
		for k := range deps {
			deps[n-1-k] = edt.From(newNumbered(c, k), datablock.EW) // the last slot first
		}
	}
	c.NewEDT(all, nil, deps...)
	if from != "events" {
		return
	}
	const parts = 64
	part := c.NewTemplate("part", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		for k := int(in.Param(0)); k < n; k += parts {
			c.Satisfy(events[k], newNumbered(c, k))
		}
	}))
	for k := range parts {
		c.NewEDTAt(c.Place(k%c.Workers()), part, edt.Params(uint64(k)))
	}
}

// newNumbered makes a block that holds k+1, and releases it.
func newNumbered(c *edt.Ctx, k int) guid.GUID {
	g, b := c.NewBlock(8)
	datablock.SliceOf[uint64](b)[0] = uint64(k) + 1
	c.Release(g)
	return g
}

// TestLoadWaiters satisfies events for which very many EDTs wait.
func TestLoadWaiters(t *testing.T) {
	n := sized(50_000, 1_000_000)
	for typ := edt.Once; typ <= edt.Channel; typ++ {
		var ran atomic.Int64
		r := mustRun(t, starting(func(c *edt.Ctx) { manyWaiters(c, typ, n, &ran) }), Workers(2), LeakReport())
		testrun.Equal(t, int64(n), ran.Load(), "%v event: EDTs ran", typ)
		leaks(t, r, 2)
	}
}

// manyWaiters makes n EDTs wait for an event. An EDT on the other worker satisfies the event, a channel n times.
func manyWaiters(c *edt.Ctx, typ edt.EventType, n int, ran *atomic.Int64) {
	var event guid.GUID
	switch typ {
	case edt.Latch:
		event = c.NewLatch(1)
	case edt.Counted:
		event = c.NewCounted(n)
	case edt.Channel:
		event = c.NewChannel(edt.Unbounded)
	default:
		event = c.NewEvent(typ)
	}
	work := body1(c, func(*edt.Ctx) { ran.Add(1) })
	for range n {
		c.NewEDT(work, nil, edt.From(event, datablock.Null))
	}
	times := 1
	if typ == edt.Channel {
		times = n
	}
	c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
		for range times {
			c.Satisfy(event, guid.Null)
		}
		if typ == edt.Sticky || typ == edt.Idempotent || typ == edt.Channel {
			c.DestroyEvent(event)
		}
	}), nil)
}

// TestLoadEventChain triggers a chain of very many events: the stack does not grow with the chain.
func TestLoadEventChain(t *testing.T) {
	n := sized(100_000, 2_000_000)
	ran := false
	r := mustRun(t, starting(func(c *edt.Ctx) {
		first := c.NewEvent(edt.Once)
		last := first
		for range n {
			next := c.NewEvent(edt.Once)
			c.AddDependence(last, next, 0, datablock.RW)
			last = next
		}
		c.NewEDT(body1(c, func(*edt.Ctx) { ran = true }), nil, edt.From(last, datablock.Null))
		c.Satisfy(first, guid.Null)
	}), Workers(2), LeakReport())
	if !ran {
		t.Error("the EDT at the end of the chain did not run")
	}
	leaks(t, r, 1)
}

// TestLoadOutOfMemory takes memory in many ways until there is none: the run ends with ErrMemory, and the next run can
// use all memory again.
func TestLoadOutOfMemory(t *testing.T) {
	limit := sized(64, 256) << 20
	for _, size := range []int{1, 100, 5000, 100_000, 3 << 20, limit / 2, limit + 1, datablock.MaxSize,
		datablock.MaxSize + 1, 1 << 62} {
		for _, workers := range []int{1, 3} {
			var taken atomic.Int64
			_, err := runMain(t, starting(func(c *edt.Ctx) {
				eat := endless(c, func(c *edt.Ctx) {
					for range 1000 {
						c.NewBlock(size)
						taken.Add(int64(size))
					}
				})
				for k := range c.Workers() {
					c.NewEDTAt(c.Place(k), eat, nil)
				}
			}), Workers(workers), Memory(uint64(limit)))
			if !errors.Is(err, edt.ErrMemory) || !errors.Is(err, edt.ENOMEM) {
				t.Fatalf("blocks of %d bytes: %v", size, err)
			}
			if text := err.Error(); !strings.Contains(text, fmt.Sprintf("%d bytes", size)) || strings.Contains(text, "\n") {
				t.Errorf("blocks of %d bytes: %q", size, text)
			}
			if taken.Load() > int64(limit) {
				t.Errorf("%d bytes were given out, the limit is %d", taken.Load(), limit)
			}
			if size > 64 && size <= limit/4 && taken.Load() < int64(limit)/2 {
				t.Errorf("blocks of %d bytes: the memory was out after %d bytes of %d", size, taken.Load(), limit)
			}
		}
	}
}

// memoryNow returns the memory that the process uses after a garbage collection: its resident pages, or the heap if the
// system does not tell.
func memoryNow() (bytes uint64) {
	debug.FreeOSMemory()
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, resident uint64
		_, _ = fmt.Sscan(string(text), &size, &resident)
		return resident * uint64(os.Getpagesize())
	}
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapInuse
}

var longRun = flag.Uint64(
	"edts", 0, "how many EDTs TestLoadLongRun runs; 0: 4*10^6, fewer in short mode and under the race detector, 10^9 "+
		"with OCR_NIGHTLY=1",
)

// TestLoadLongRun runs very many EDTs in one run. It samples the memory of the process, which must not grow after the
// first tenth.
func TestLoadLongRun(t *testing.T) {
	const strands = 50
	edts := *longRun
	if edts == 0 {
		edts = uint64(sized(4_000_000, 1_000_000_000))
	}
	for _, workers := range []int{1, 2, 8} {
		n := edts * 4 / 5 / 3 // three runs, and about 5/4 EDTs for each turn
		m := &mill{strands: strands, turns: n / strands}
		var samples []uint64
		m.tick = func(_ *edt.Ctx, left uint64) {
			if left%max(1, m.turns/10) == 0 && left%m.turns != 0 {
				m.sample(&samples, left)
			}
		}
		r := mustRun(t, m.main, Workers(workers), LeakReport())
		testrun.Equal(t, "", m.check())
		leaks(t, r, 6)
		first, last := samples[0], samples[len(samples)-1]
		t.Logf("%d workers: %d EDTs", workers, r.Counters.EDTRun)
		if last > first+first/5+24<<20 {
			t.Errorf("memory has grown, in bytes: %d", samples)
		}
	}
}

// sample notes the memory if this strand is the first with so many turns left.
func (m *mill) sample(samples *[]uint64, left uint64) {
	m.sampling.Lock()
	defer m.sampling.Unlock()
	if m.sampled == nil {
		m.sampled = make(map[uint64]bool)
	}
	if !m.sampled[left] {
		m.sampled[left] = true
		*samples = append(*samples, memoryNow())
	}
}

// leaks fails the test if a run leaves anything but at most this many templates.
func leaks(t *testing.T, r Report, templates int) {
	t.Helper()
	n := 0
	for _, l := range r.Leaks {
		if l.Template == "" || l.Kind.String() != "template" {
			t.Errorf("left behind: %v", l)
		}
		n += l.Count
	}
	if n > templates {
		t.Errorf("%d templates are left, the program has made %d: %v", n, templates, r.Leaks)
	}
}
