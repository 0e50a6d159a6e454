package edt_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// stuck runs a program that ends with EDTs waiting.
func stuck(t *testing.T, sites bool, main func(tr *trial, c *edt.Ctx) (want func(e *edt.StuckError))) {
	t.Helper()
	underSeeds(t, 4, func(tr *trial) edt.Func {
		tr.sites = sites
		var want func(e *edt.StuckError)
		tr.want = func(err error) {
			e := testrun.As[*edt.StuckError](tr, err)
			first, _, _ := strings.Cut(e.Error(), "\n")
			testrun.Equal(tr, fmt.Sprintf("edt: stuck: %d EDT(s) wait and nothing can run", e.Count), first, "first line")
			if strings.HasSuffix(e.Error(), "TrackSites() adds the lines that created them") == (sites && e.Count > 0) {
				tr.Errorf("the advice to record sites does not fit: %v", e)
			}
			want(e)
		}
		return body(func(c *edt.Ctx, _ edt.Args) { want = main(tr, c) })
	})
}

// waits returns a check that exactly one EDT waits, for these slots.
func waits(tr *trial, task guid.GUID, template string, slots map[int]string) func(e *edt.StuckError) {
	return func(e *edt.StuckError) {
		if e.Count != 1 || len(e.Waiting) != 1 {
			tr.Errorf("%d EDTs wait, %d are shown", e.Count, len(e.Waiting))
			return
		}
		w := e.Waiting[0]
		if w.EDT != task || w.Template != template || len(w.Missing) != len(slots) {
			tr.Errorf("%v of %q misses %v, want %v of %q to miss %v", w.EDT, w.Template, w.Missing, task, template, slots)
		}
		for _, m := range w.Missing {
			testrun.Equal(tr, slots[m.Slot], m.Lacks, "slot %d", m.Slot)
			testrun.Contains(tr, e.Error(), fmt.Sprintf("slot %d: %s", m.Slot, guid.Shorten(m.Lacks)))
		}
		testrun.Contains(tr, e.Error(), "EDT "+task.Short()+" ", template)
	}
}

func TestStuckOnOpenSlots(t *testing.T) {
	for _, slots := range []int{3, 7} {
		stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
			task := open(c, slots, nothing)
			for k := 1; k < slots-1; k++ {
				c.AddDependence(guid.Null, task, k, datablock.RW)
			}
			return waits(tr, task, "open", map[int]string{0: "not connected", slots - 1: "not connected"})
		})
	}
}

// unsatisfied has events that an EDT may wait for, and the text of reports about them, with the GUID.
var unsatisfied = []struct {
	name string
	make maker
	want string
}{
	{"once", eventOf(edt.Once), "once event %v, never satisfied"},
	{"idempotent", eventOf(edt.Idempotent), "idempotent event %v, never satisfied"},
	{"sticky", eventOf(edt.Sticky), "sticky event %v, never satisfied"},
	{"counted", countedFor(3), "counted event %v, never satisfied"},
	{"channel", channelOf(1), "channel event %v, no satisfaction for this dependence"},
	{"latch", then(latchAt(5), satisfy), "latch event %v, count 4"},
}

func TestStuckOnEvents(t *testing.T) {
	for _, tc := range unsatisfied {
		t.Run(tc.name, func(t *testing.T) {
			stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
				e := tc.make(c)
				task := launch(c, nothing, rw(guid.Null), rw(e))
				return waits(tr, task, "launched", map[int]string{1: fmt.Sprintf(tc.want, e)})
			})
			t.Run("destroyed", func(t *testing.T) {
				stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
					e := tc.make(c)
					task := launch(c, nothing, rw(e), rw(guid.Null))
					c.DestroyEvent(e)
					c.NewEvent(edt.Sticky) // in its place
					return waits(tr, task, "launched", map[int]string{0: fmt.Sprintf("event %v, destroyed before it triggered", e)})
				})
			})
		})
	}
}

func TestStuckReportSaysSites(t *testing.T) {
	stuck(t, true, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
		tmpl := c.NewTemplate("sited", 0, 1, body(nothing))
		_, file, line, _ := goruntime.Caller(0)
		e := c.NewEvent(edt.Sticky)
		task := c.NewEDT(tmpl, nil, rw(e))
		file = filepath.Base(file)
		return func(err *edt.StuckError) {
			waits(tr, task, "sited", map[int]string{
				0: fmt.Sprintf("sticky event %v, never satisfied, created at %s:%d by main", e, file, line+1),
			})(err)
			want := fmt.Sprintf("%s:%d by main", file, line+2)
			if task.Home() != e.Home() {
				want = "another rank by main"
			}
			if err.Waiting[0].Site != want || !strings.Contains(err.Error(), "created at "+want) {
				tr.Errorf("EDT created at %q, want %q", err.Waiting[0].Site, want)
			}
		}
	})
}

func TestStuckReportIsBounded(t *testing.T) {
	stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
		for range 250 {
			open(c, 1, nothing)
		}
		return func(e *edt.StuckError) {
			if e.Count != 250 || len(e.Waiting) != 100 || !strings.Contains(e.Error(), "\n  and 150 more\n") {
				tr.Errorf("%d of %d shown: %v", len(e.Waiting), e.Count, e)
			}
		}
	})
}

// TestReportOfManySlots: a report lists the first 20 slots, and says that there are more.
func TestReportOfManySlots(t *testing.T) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, in edt.Args) {
		wide := c.NewTemplate("wide", 0, 30, body(nothing))
		c.NewEDT(wide, nil)
		c.AddDependence(guid.Null, c.NewEDT(wide, nil), 3, datablock.RW)
	}))
	says := testrun.As[*edt.StuckError](t, err).Error()
	testrun.Equal(t, 40, strings.Count(says, "not connected"), "slots shown, 20 of each EDT")
	testrun.Equal(t, 2, strings.Count(says, "and perhaps more from here on"), "mentions that there are more")
}

// looked runs a program whose main EDT, or an EDT that main creates, takes snapshots of the graph.
func looked(t *testing.T, main func(c *edt.Ctx, look func() *edt.Snapshot)) {
	t.Helper()
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	_ = h.Run(body(func(c *edt.Ctx, _ edt.Args) { main(c, h.Graph.Snapshot) }))
}

// lackOf checks that exactly one EDT waits, for one slot, and returns what the slot waits for.
func lackOf(t *testing.T, s *edt.Snapshot, task guid.GUID, slot int) string {
	t.Helper()
	if s.Count != 1 || len(s.Waiting) != 1 || s.Waiting[0].EDT != task || len(s.Waiting[0].Missing) != 1 {
		t.Fatalf("waiting: %d, %+v; want %v for one thing", s.Count, s.Waiting, task)
	}
	m := s.Waiting[0].Missing[0]
	testrun.Equal(t, slot, m.Slot, "slot")
	testrun.Contains(t, s.String(), guid.Shorten(m.Lacks))
	return m.Lacks
}

// TestSnapshotOfSatisfiers: a snapshot says what will satisfy each slot, over chains of events, and which block an EDT
// waits for. TestStuckOnOpenSlots and TestStuckOnEvents have the other states of a slot.
func TestSnapshotOfSatisfiers(t *testing.T) {
	for name, tc := range map[string]func(c *edt.Ctx, look func() *edt.Snapshot){
		"event after event": func(c *edt.Ctx, look func() *edt.Snapshot) {
			first, second := c.NewLatch(3), c.NewEvent(edt.Sticky)
			c.AddDependence(first, second, 0, datablock.RW)
			task := launch(c, nothing, rw(second))
			got := lackOf(t, look(), task, 0)
			testrun.Equal(t, fmt.Sprintf("sticky event %v, never satisfied; latch event %v is to satisfy it", second,
				first), got)
		},
		"five events before one": func(c *edt.Ctx, look func() *edt.Snapshot) {
			latch := c.NewLatch(5)
			for range 5 {
				c.AddDependence(c.NewEvent(edt.Once), latch, edt.Decr, datablock.RW)
			}
			task := launch(c, nothing, rw(latch))
			if got := lackOf(t, look(), task, 0); strings.Count(got, "once event") != 3 ||
				!strings.HasSuffix(got, " and 2 more") {
				t.Error(got)
			}
		},
		"output": func(c *edt.Ctx, look func() *edt.Snapshot) {
			maker, out := create(c, c.NewTemplate("maker", 0, 1, body(nothing)), edt.Spec{Output: true})
			task := launch(c, nothing, rw(out))
			s := look()
			if s.Count != 2 || s.Waiting[1].EDT != task {
				t.Fatalf("%v", s)
			}
			want := fmt.Sprintf("once event %v, never satisfied; it is the output of EDT %v of template maker, which waits", out,
				maker)
			testrun.Equal(t, want, s.Waiting[1].Missing[0].Lacks)
		},
		"block held": func(c *edt.Ctx, look func() *edt.Snapshot) {
			b := wordBlock(c, 1)
			var second guid.GUID
			c.NewEDT(c.NewTemplate("holder", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				s := look()
				got := lackOf(t, s, second, -1)
				testrun.Equal(t, fmt.Sprintf("data block %v, not granted in mode RW", b), got)
				testrun.Equal(t, 1, s.Acquiring, "EDTs that acquire")
			})), nil, edt.From(b, datablock.EW))
			second = launch(c, nothing, rw(b))
		},
		"block destroyed": func(c *edt.Ctx, look func() *edt.Snapshot) {
			b := wordBlock(c, 1)
			holder := c.NewTemplate("holder", 0, 1, body(nothing))
			c.NewEDTAt(c.Bind(c.Worker()), holder, nil, edt.From(b, datablock.EW))
			second := launch(c, nothing, rw(b))
			c.DestroyBlock(b)
			testrun.Equal(t, fmt.Sprintf("data block %v, not granted in mode RW", b), lackOf(t, look(), second, -1))
		},
	} {
		t.Run(name, func(t *testing.T) { looked(t, tc) })
	}
}

// TestSnapshotOfScope: a snapshot says that EDTs in a finish scope, and in inner scopes, keep it open.
func TestSnapshotOfScope(t *testing.T) {
	looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
		inner := c.NewTemplate("inner", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			open(c, 1, nothing)
			s := look()
			k := slices.IndexFunc(s.Waiting, func(w edt.WaitingEDT) bool { return w.Template == "after" })
			if k < 0 {
				t.Fatalf("%v", s)
			}
			got := s.Waiting[k].Missing[0].Lacks
			if ok, _ := regexp.MatchString(
				`^latch event .*, count 1; the finish scope of 2 EDTs, one of them EDT .* of template inner, which runs, `+
					`is to satisfy it$`, got,
			); !ok {
				t.Error(got)
			}
		}))
		outer := c.NewTemplate("outer", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { create(c, inner, edt.Spec{Finish: true}) }))
		task, out := create(c, outer, edt.Spec{Finish: true, Output: true})
		c.NewEDT(c.NewTemplate("after", 0, 1, body(nothing)), nil, rw(out))
		c.AddDependence(guid.Null, task, 0, datablock.RW)
	})
}

// TestRunning: a host can ask, at any time, which EDT a worker runs, and how many EDTs the worker has begun.
func TestRunning(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		me := c.Worker()
		if id, template := h.Graph.Running(me); id != c.Self() || template != "main" || h.Graph.Began(me) != 1 {
			t.Errorf("EDT %v of template %s; %d begun", id, template, h.Graph.Began(me))
		}
		if id, template := h.Graph.Running(1 - me); !id.IsNull() || template != "" || h.Graph.Began(1-me) != 0 {
			t.Errorf("the other worker: EDT %v of template %q", id, template)
		}
	})))
}

// leaks runs a program and checks its leaks.
func leaks(t *testing.T, want []edt.Leak, main func(c *edt.Ctx)) {
	t.Helper()
	underSeeds(t, 3, func(tr *trial) edt.Func {
		tr.after(func() { testrun.Same(tr, want, tr.leaks, "leaks") })
		return body(func(c *edt.Ctx, _ edt.Args) { main(c) })
	})
}

func TestLeaks(t *testing.T) {
	event := func(typ string) []edt.Leak { return []edt.Leak{{Kind: guid.KindEvent, Template: typ, Count: 1}} }
	for _, tc := range []struct {
		name string
		want []edt.Leak
		main func(c *edt.Ctx)
	}{
		{"nothing", nil, func(*edt.Ctx) {}},
		{"once", event("once"), func(c *edt.Ctx) { c.NewEvent(edt.Once) }},
		{"sticky", event("sticky"), func(c *edt.Ctx) { c.NewEvent(edt.Sticky) }},
		{"satisfied idempotent", event("idempotent"), func(c *edt.Ctx) { c.Satisfy(c.NewEvent(edt.Idempotent), guid.Null) }},
		{"event of the last worker", event("idempotent"), func(c *edt.Ctx) {
			for range 200 {
				c.DestroyEvent(c.NewEvent(edt.Idempotent, c.Place(c.Places()-1)))
			}
			c.NewEvent(edt.Idempotent, c.Place(c.Places()-1))
		}},
		{"latch", event("latch"), func(c *edt.Ctx) { c.NewLatch(3) }},
		{"counted with a use left", event("counted"), func(c *edt.Ctx) { c.Satisfy(c.NewCounted(1), guid.Null) }},
		{"channel", event("channel"), func(c *edt.Ctx) { c.NewChannel(1) }},
		{"block", []edt.Leak{{Kind: guid.KindBlock, Count: 2}},
			func(c *edt.Ctx) { wordBlock(c, 1); c.NewBlockNoAcquire(9000) }},
		{"template", []edt.Leak{{Kind: guid.KindTemplate, Template: "left", Count: 1}},
			func(c *edt.Ctx) { c.NewTemplate("left", 0, 0, body(nothing)) }},
		{"template called main", []edt.Leak{{Kind: guid.KindTemplate, Template: "main", Count: 1}},
			func(c *edt.Ctx) { c.NewTemplate("main", 0, 0, body(nothing)) }},
		{"EDT, after a shutdown", []edt.Leak{{Kind: guid.KindEDT, Template: "edt_test.registered", Count: 3}},
			func(c *edt.Ctx) {
				for range 3 {
					c.NewEDT(registered, nil)
				}
				c.Shutdown()
			}},
		{"all that was destroyed or went by itself", nil, func(c *edt.Ctx) {
			c.DestroyEvent(c.NewEvent(edt.Sticky))
			c.DestroyEvent(c.NewChannel(1))
			c.Satisfy(c.NewEvent(edt.Once), guid.Null)
			c.Satisfy(c.NewLatch(1), guid.Null)
			e := c.NewCounted(1)
			c.NewEDT(registered, nil, rw(e))
			c.Satisfy(e, guid.Null)
			c.DestroyBlock(c.NewBlockNoAcquire(8))
			c.DestroyEDT(c.NewEDT(registered, nil))
			c.DestroyTemplate(c.NewTemplate("temporary", 0, 0, body(nothing)))
			c.Spawn(registered, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{rw(guid.Null)}})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { leaks(t, tc.want, tc.main) })
	}
}

func TestLeaksSaySites(t *testing.T) {
	underSeeds(t, 2, func(tr *trial) edt.Func {
		tr.sites = true
		var line int
		tr.after(func() {
			site := func(n int) string { return fmt.Sprintf("report_test.go:%d by main", line+n) }
			want := []edt.Leak{
				{Kind: guid.KindTemplate, Template: "sited", Site: site(1), Count: 1},
				{Kind: guid.KindEvent, Template: "sticky", Site: site(3), Count: 4},
				{Kind: guid.KindBlock, Site: site(4), Count: 4},
				{Kind: guid.KindBlock, Site: site(6), Count: 1},
			}
			testrun.Same(tr, want, tr.leaks, "leaks")
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			_, _, line, _ = goruntime.Caller(0)
			c.NewTemplate("sited", 0, 0, body(nothing))
			for range 4 {
				c.NewEvent(edt.Sticky)
				c.NewBlockNoAcquire(8)
			}
			c.NewBlockNoAcquire(8)
		})
	})
}

func TestLeakText(t *testing.T) {
	for _, tc := range []struct {
		leak edt.Leak
		want string
	}{
		{edt.Leak{Kind: guid.KindBlock, Count: 2}, "2 data blocks"},
		{edt.Leak{Kind: guid.KindEvent, Template: "sticky", Site: "a.go:1", Count: 1}, "1 sticky event from a.go:1"},
		{edt.Leak{Kind: guid.KindEDT, Template: "waits", Count: 3}, "3 EDTs of template waits"},
	} {
		testrun.Equal(t, tc.want, tc.leak.String())
	}
}
