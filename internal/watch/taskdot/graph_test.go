package taskdot_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/taskdot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

// body makes the function of an EDT that returns nothing.
func body(f func(c *edt.Ctx)) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		f(c)
		return guid.Null
	}
}

// drawn runs a program on one pretended worker and returns its graph, and the graph's text.
func drawn(t *testing.T, limit int, main func(c *edt.Ctx)) (*taskdot.Graph, string) {
	t.Helper()
	now := int64(0)
	g := taskdot.New(limit, func() int64 { now += 1500; return now })
	h := edttest.New(1, edt.Config{Workers: 1, Observe: g.Observe})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(main)))
	var b strings.Builder
	testrun.OK(t, g.Write(&b, "a \"program\" of C:\\new"))
	return g, b.String()
}

// arrows lists a drawing's edges by the names of templates, which must differ.
func arrows(t *testing.T, d *drawing) []string {
	t.Helper()
	name := func(node string) string {
		label := strings.Trim(d.nodes[node]["label"], `"`)
		short, _, _ := strings.Cut(label, `\n`)
		return short
	}
	var all []string
	for _, e := range d.edges {
		how := "slot " + strings.Trim(e.attributes["label"], `"`) + " by " + strings.Trim(e.attributes["tooltip"], `"`)
		if e.attributes["style"] == "dashed" {
			how = "creates"
		}
		via, _, _ := strings.Cut(how, " event")
		all = append(all, fmt.Sprintf("%s -> %s: %s", name(e.from), name(e.to), via))
	}
	slices.Sort(all)
	return all
}

func TestEdges(t *testing.T) {
	on := func(e guid.GUID) edt.Source { return edt.From(e, datablock.RO) }
	satisfies := func(c *edt.Ctx, name string, events ...guid.GUID) *edt.Template {
		return c.NewTemplate(name, 0, 0, body(func(c *edt.Ctx) {
			for _, e := range events {
				c.Satisfy(e, guid.Null)
			}
		}))
	}
	for _, x := range []struct {
		name string
		main func(c *edt.Ctx)
		want []string
	}{
		{"once and directly", func(c *edt.Ctx) {
			e := c.NewEvent(edt.Once)
			block, _ := c.NewBlock(8)
			c.Release(block)
			c.NewEDT(c.NewTemplate("b", 0, 2, nothing), nil, on(block), on(e))
			c.NewEDT(satisfies(c, "a", e), nil)
		}, []string{"a -> b: slot 1 by once", "main -> a: creates", "main -> b: creates", "main -> b: slot 0 by directly"}},
		{"latch", func(c *edt.Ctx) {
			e := c.NewLatch(3)
			c.NewEDT(c.NewTemplate("c", 0, 1, nothing), nil, on(e))
			c.NewEDT(satisfies(c, "a", e, e), nil)
			c.NewEDT(satisfies(c, "b", e), nil)
		}, []string{"a -> c: slot 0 by latch", "b -> c: slot 0 by latch", "main -> a: creates", "main -> b: creates",
			"main -> c: creates"}},
		{"sticky, through a once event, and late", func(c *edt.Ctx) {
			first, second := c.NewEvent(edt.Once), c.NewEvent(edt.Sticky)
			c.AddDependence(first, second, 0, datablock.RW)
			late := c.NewTemplate("late", 0, 1, nothing)
			connect := c.NewTemplate("connect", 0, 1, body(func(c *edt.Ctx) {
				c.NewEDT(late, nil, on(second))
			}))
			c.NewEDT(connect, nil, on(second))
			c.NewEDT(satisfies(c, "a", first), nil)
		}, []string{"a -> connect: slot 0 by sticky", "a -> late: slot 0 by sticky", "connect -> late: creates",
			"main -> a: creates", "main -> connect: creates"}},
		{"channel", func(c *edt.Ctx) {
			e := c.NewChannel(edt.Unbounded)
			one, two := c.NewTemplate("one", 0, 1, nothing), c.NewTemplate("two", 0, 1, nothing)
			second := c.NewTemplate("second", 0, 0, body(func(c *edt.Ctx) {
				c.Satisfy(e, guid.Null)
				c.NewEDT(one, nil, on(e))
				c.NewEDT(two, nil, on(e))
			}))
			c.NewEDT(c.NewTemplate("first", 0, 0, body(func(c *edt.Ctx) {
				c.Satisfy(e, guid.Null)
				c.NewEDT(second, nil)
			})), nil)
		}, []string{"first -> one: slot 0 by channel", "first -> second: creates", "main -> first: creates",
			"second -> one: creates", "second -> two: creates", "second -> two: slot 0 by channel"}},
		{"output event", func(c *edt.Ctx) {
			a, end := c.Spawn(c.NewTemplate("a", 0, 1, nothing), &edt.Spec{Output: true})
			c.NewEDT(c.NewTemplate("b", 0, 1, nothing), nil, on(end))
			c.AddDependence(guid.Null, a, 0, datablock.Null)
		}, []string{"a -> b: slot 0 by once", "main -> a: creates", "main -> a: slot 0 by directly", "main -> b: creates"}},
		{"an EDT that goes on, and passes on what it has", func(c *edt.Ctx) {
			e, given, rounds := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky), 0
			c.NewEDT(c.NewTemplate("after", 0, 1, nothing), nil, on(given))
			c.NewEDT(c.NewTemplate("round", 0, 2, body(func(c *edt.Ctx) {
				if rounds++; rounds == 1 {
					c.Again(edt.Change{Slot: 1, Source: e})
				} else {
					c.Pass(given, 0)
				}
			})), nil, edt.From(c.NewBlockNoAcquire(8), datablock.RW), on(guid.Null))
			c.NewEDT(satisfies(c, "a", e), nil)
		}, []string{
			"a -> round: slot 1 by sticky", "main -> a: creates", "main -> after: creates", "main -> round: creates",
			"main -> round: slot 0 by directly", "main -> round: slot 1 by directly",
			"round -> after: slot 0 by sticky", "round -> round: creates", "round -> round: slot 0 by directly",
		}},
		{"finish EDT", func(c *edt.Ctx) {
			inner := c.NewTemplate("inner", 0, 0, nothing)
			a, end := c.Spawn(c.NewTemplate("finish", 0, 1, body(func(c *edt.Ctx) {
				c.NewEDT(inner, nil)
			})), &edt.Spec{Output: true, Finish: true})
			c.NewEDT(c.NewTemplate("after", 0, 1, nothing), nil, on(end))
			c.AddDependence(guid.Null, a, 0, datablock.Null)
		}, []string{"finish -> after: slot 0 by latch", "finish -> inner: creates", "inner -> after: slot 0 by latch",
			"main -> after: creates", "main -> finish: creates", "main -> finish: slot 0 by directly"}},
		{"finish EDT with a channel event", func(c *edt.Ctx) {
			inner, end := c.NewTemplate("inner", 0, 0, nothing), c.NewChannel(1)
			c.Spawn(c.NewTemplate("finish", 0, 0, body(func(c *edt.Ctx) {
				c.NewEDT(inner, nil)
			})), &edt.Spec{OutputEvent: end, Finish: true})
			c.NewEDT(c.NewTemplate("after", 0, 1, nothing), nil, on(end))
		}, []string{"finish -> after: slot 0 by channel", "finish -> inner: creates", "inner -> after: slot 0 by channel",
			"main -> after: creates", "main -> finish: creates"}},
	} {
		_, text := drawn(t, 100, x.main)
		testrun.Same(t, x.want, arrows(t, parse(t, text)), "%s", x.name)
	}
}

// TestText: the text of a small graph, whole, with names that need escapes.
func TestText(t *testing.T) {
	_, text := drawn(t, 100, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Sticky)
		c.NewEDT(c.NewTemplate("\"odd\"\\N\n\x01<b>\x7fö", 0, 1, nothing), nil, edt.From(e, datablock.RO))
		c.DestroyEDT(c.NewEDT(c.NewTemplate("never", 0, 1, nothing), nil))
		c.Satisfy(e, guid.Null)
	})
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		// GUIDs have random bits.
		if before, rest, ok := strings.Cut(line, `tooltip="`); ok && strings.HasPrefix(line, "\te") &&
			!strings.Contains(line, "->") {
			lines[k] = before + `tooltip="` + rest[strings.Index(rest, `"`):]
		}
	}
	want := `digraph tasks {
	` +
		`label="a \"program\" of C:\\new\n3 EDTs\nsolid arrow: satisfies the slot of that number; dashed: creates` +
		`\nbox: template, which EDT, worker and its colour, time; dotted box: did not run"; labelloc=t; ` +
		`fontname="sans-serif"; outputorder=edgesfirst; newrank=true;
	node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=10];
	edge [fontname="sans-serif", fontsize=8, arrowsize=0.6];
	e1 [label="main\n0001\nworker 0, 1.5µs", tooltip="", fillcolor="#cfe8ff"];
	e2 [label="\"odd\"\\N\n?<b>?ö\n0002\nworker 0, 1.5µs", tooltip="", fillcolor="#cfe8ff"];
	e3 [label="never\n0003\nnever ran", tooltip="", style="rounded,dotted"];
	{rank=same; e1;}
	{rank=same; e2; e3;}
	e1 -> e2 [style=dashed, color="gray50", tooltip="creates"];
	e1 -> e2 [label="0", tooltip="sticky event 0001"];
	e1 -> e3 [style=dashed, color="gray50", tooltip="creates"];
}
`
	// The generations of records go on from run to run.
	got := regexp.MustCompile(`[0-9a-f]+0000(000\d)(\\n|")`).ReplaceAllString(strings.Join(lines, "\n"), "$1$2")
	testrun.Same(t, want, got, "text")
	parse(t, text)
}

// chain runs n EDTs, each of which creates the next.
func chain(n uint64) func(c *edt.Ctx) {
	var link *edt.Template
	return func(c *edt.Ctx) {
		link = c.NewTemplate("link", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			if left := in.Param(0); left > 1 {
				c.NewEDT(link, edt.Params(left-1))
			}
			return guid.Null
		})
		c.NewEDT(link, edt.Params(n))
	}
}

func TestLimit(t *testing.T) {
	for _, x := range []struct {
		limit, nodes, edges int
		extent              string
	}{
		{1, 1, 0, "the first 1 of 101 EDTs"},
		{10, 10, 9, "the first 10 of 101 EDTs"},
		{101, 101, 100, "101 EDTs"},
		{200, 101, 100, "101 EDTs"},
	} {
		g, text := drawn(t, x.limit, chain(100))
		d := parse(t, text)
		if created, nodes := g.Size(); created != 101 || nodes != x.nodes || len(d.nodes) != x.nodes ||
			len(d.edges) != x.edges {
			t.Errorf("limit %d: %d created, %d drawn, %d nodes, %d edges", x.limit, created, nodes, len(d.nodes), len(d.edges))
		}
		testrun.Contains(t, d.attributes["label"], `\n`+x.extent+`\n`)
	}
}

// TestLevels: every edge leads to a higher level, and each node is on one level.
func TestLevels(t *testing.T) {
	_, text := drawn(t, 200, tree(6))
	level := map[string]int{}
	for n, line := range regexp.MustCompile(`\{rank=same;(.*)\}`).FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(strings.Trim(line[1], " ;"), "; ") {
			level[name] = n
		}
	}
	d := parse(t, text)
	for _, e := range d.edges {
		if level[e.from] >= level[e.to] {
			t.Errorf("edge %s -> %s from level %d to %d", e.from, e.to, level[e.from], level[e.to])
		}
	}
	if len(d.nodes) != 128 || len(level) != 128 {
		t.Errorf("%d nodes, %d of them on levels", len(d.nodes), len(level))
	}
}

// TestFold: each level of a tree is one box, which says how many EDTs it stands for.
func TestFold(t *testing.T) {
	_, text := drawn(t, 2000, tree(8))
	d := parse(t, text)
	testrun.Equal(t, 10, len(d.nodes), "boxes")
	testrun.Equal(t, 9, len(d.edges), "arrows")
	for _, want := range []string{"512 EDTs, those that are alike in one box: 10 boxes",
		`branch\n256 EDTs\n384µs together`,
		`label="x 256", style=dashed`} {
		testrun.Contains(t, text, want)
	}
	testrun.Same(t, false, strings.Contains(text, "splines=line"), "few boxes are drawn quickly")
	_, long := drawn(t, 2000, chain(300))
	testrun.Contains(t, long, "301 EDTs", "splines=line")
}

// TestFoldedSlots: an arrow between two boxes stands for all slots.
func TestFoldedSlots(t *testing.T) {
	_, text := drawn(t, 2000, func(c *edt.Ctx) {
		wide := c.NewTemplate("wide", 0, 3, nothing)
		for range 300 {
			c.NewEDT(wide, nil, slices.Repeat([]edt.Source{edt.From(guid.Null, datablock.Null)}, 3)...)
		}
	})
	d := parse(t, text)
	testrun.Equal(t, 2, len(d.nodes), "boxes")
	testrun.Equal(t, 2, len(d.edges), "arrows")
	testrun.Contains(t, text, `label="0 to 2 x 900", tooltip="directly"`, `label="x 300", style=dashed`)
}

// tree makes main and a binary tree of EDTs below it, each of which creates two.
func tree(depth uint64) func(c *edt.Ctx) {
	var branch *edt.Template
	return func(c *edt.Ctx) {
		branch = c.NewTemplate("branch", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			for range min(2, 2*in.Param(0)) {
				c.NewEDT(branch, edt.Params(in.Param(0)-1))
			}
			return guid.Null
		})
		c.NewEDT(branch, edt.Params(depth))
	}
}
