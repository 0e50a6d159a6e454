package taskdot_test

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ocr/apps/synchp2p"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/watch/taskdot"
)

// A picture is an SVG that was read back.
type picture struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Texts  []text  `xml:"g>text"`
	Boxes  []struct {
		Title string `xml:"title"`
		Rect  struct {
			X      float64 `xml:"x,attr"`
			Y      float64 `xml:"y,attr"`
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Stroke string  `xml:"stroke,attr"`
		} `xml:"rect"`
		Text *text `xml:"text"`
	} `xml:"g>g"`
}

type text struct {
	X      float64 `xml:"x,attr"`
	Y      float64 `xml:"y,attr"`
	Anchor string  `xml:"text-anchor,attr"`
	Text   string  `xml:",chardata"`
}

// ends returns where a text begins and ends.
func (t text) ends() (left, right float64) {
	width := 6 * float64(utf8.RuneCountInString(t.Text))
	if t.Anchor == "middle" {
		return t.X - width/2, t.X + width/2
	}
	return t.X, t.X + width
}

// record runs a program on pretended workers in a fixed order, each reading of the clock 1500 ns after the one before.
func record(t *testing.T, limit, workers int, main edt.Func) *taskdot.Graph {
	t.Helper()
	now := int64(0)
	g := taskdot.New(limit, func() int64 { now += 1500; return now })
	h := edttest.New(7, edt.Config{Workers: workers, Observe: g.Observe})
	defer h.Graph.Close()
	if err := h.Run(main); err != nil {
		t.Fatal(err)
	}
	return g
}

func sweeps() synchp2p.Config {
	cfg := synchp2p.Defaults()
	cfg.Ranks, cfg.Phases, cfg.Timesteps = 10, 10, 2
	return cfg
}

// readSVG parses a drawing whole; what is no XML fails.
func readSVG(t *testing.T, g *taskdot.Graph) (p picture, source string) {
	t.Helper()
	var b strings.Builder
	if err := g.WriteGraph(&b, "a <program> & \x01 more"); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(b.String()), &p); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return p, b.String()
}

// with returns the texts that begin with start.
func (p *picture) with(start string) (found []string) {
	for _, line := range p.Texts {
		if strings.HasPrefix(line.Text, start) {
			found = append(found, line.Text)
		}
	}
	return found
}

// TestSVGHasEachEDTOnce: with its name in a tooltip, its template in the legend, and the same bytes for the same order.
func TestSVGHasEachEDTOnce(t *testing.T) {
	cfg := sweeps()
	p, source := readSVG(t, record(t, 1000, 2, synchp2p.New(cfg).Main()))
	titles := map[string]int{}
	for _, box := range p.Boxes {
		line, _, _ := strings.Cut(box.Title, "\n")
		titles[line]++
	}
	for rank := range cfg.Ranks {
		for step := range cfg.Timesteps {
			for phase := range cfg.Phases {
				name := fmt.Sprintf("synch_p2p.sweep rank=%d step=%d phase=%d", rank, step, phase)
				if titles[name] != 1 {
					t.Errorf("%d boxes of %s", titles[name], name)
				}
			}
		}
	}
	if len(p.Boxes) != 200+cfg.Ranks+5 || titles["main"] != 1 || titles["synch_p2p.realmain"] != 1 {
		t.Errorf("%d boxes", len(p.Boxes))
	}
	for _, line := range []string{
		fmt.Sprintf("%d EDTs;", 200+cfg.Ranks+5), "main: 1", "synch_p2p.deliver: 1", "synch_p2p.collect: 1",
		"synch_p2p.realmain: 1", "synch_p2p.sweep: 200, boxes say rank=# step=# phase=#", "a <program> & ",
	} {
		if len(p.with(line)) != 1 {
			t.Errorf("%q is there %d times", line, len(p.with(line)))
		}
	}
	if _, again := readSVG(t, record(t, 1000, 2, synchp2p.New(cfg).Main())); again != source {
		t.Error("the same order gives another picture")
	}
	if len(source) > 80<<10 {
		t.Errorf("%d bytes", len(source))
	}
}

// TestSVGTextsAreApart: no two texts overlap, no two boxes, and all is inside the picture.
func TestSVGTextsAreApart(t *testing.T) {
	for name, main := range map[string]edt.Func{
		"wavefront": synchp2p.New(sweeps()).Main(), "chain": chain(50), "many": chain(700), "tree": tree(6),
	} {
		p, _ := readSVG(t, record(t, 1000, 3, main))
		texts := slices.Clone(p.Texts)
		for a, box := range p.Boxes {
			r := box.Rect
			if box.Text != nil {
				texts = append(texts, *box.Text)
				if left, right := box.Text.ends(); left < r.X || right > r.X+r.Width {
					t.Errorf("%s: %q is wider than its box", name, box.Text.Text)
				}
			}
			for _, other := range p.Boxes[:a] {
				if o := other.Rect; r.X < o.X+o.Width && o.X < r.X+r.Width && r.Y < o.Y+o.Height && o.Y < r.Y+r.Height {
					t.Errorf("%s: %q and %q overlap", name, box.Title, other.Title)
				}
			}
			if r.X < 0 || r.Y < 0 || r.X+r.Width > p.Width || r.Y+r.Height > p.Height {
				t.Errorf("%s: %q is not inside", name, box.Title)
			}
		}
		for k, a := range texts {
			left, right := a.ends()
			for _, b := range texts[:k] {
				if l, r := b.ends(); left < r && l < right && max(a.Y-b.Y, b.Y-a.Y) < 10 {
					t.Errorf("%s: %q and %q overlap", name, a.Text, b.Text)
				}
			}
			if left < 0 || right > p.Width || a.Y < 0 || a.Y > p.Height {
				t.Errorf("%s: %q is not inside", name, a.Text)
			}
		}
	}
}

// tree makes an EDT that makes two, and so on.
func tree(levels uint64) edt.Func {
	var node *edt.Template
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		node = c.NewTemplate("node", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			if left := in.Param(0); left > 1 {
				c.NewEDT(node, edt.Params(left-1))
				c.NewEDT(node, edt.Params(left-1))
			}
			return guid.Null
		})
		c.NewEDT(node, edt.Params(levels))
		return guid.Null
	}
}

// TestWavefrontIsSlanted: a rank has a lane, in order, and one step to the right is a phase or a rank.
func TestWavefrontIsSlanted(t *testing.T) {
	cfg := sweeps()
	cfg.Ranks, cfg.Phases = 5, 5 // in one row
	p, _ := readSVG(t, record(t, 1000, 2, synchp2p.New(cfg).Main()))
	type at struct{ x, y float64 }
	places := map[[3]int]at{}
	for _, box := range p.Boxes {
		var k [3]int
		if n, _ := fmt.Sscanf(box.Title, "synch_p2p.sweep rank=%d step=%d phase=%d", &k[0], &k[1], &k[2]); n == 3 {
			places[k] = at{box.Rect.X, box.Rect.Y}
		}
	}
	across, down := places[[3]int{0, 0, 1}].x-places[[3]int{0, 0, 0}].x,
		places[[3]int{1, 0, 0}].y-places[[3]int{0, 0, 0}].y
	if across <= 0 || down <= 0 {
		t.Fatalf("a step is %v to the right and %v down", across, down)
	}
	for k, p := range places {
		first := places[[3]int{0, k[1], 0}]
		want := at{first.x + across*float64(k[0]+k[2]), first.y + down*float64(k[0])}
		if max(p.x-want.x, want.x-p.x) > 0.5 || p.y != want.y || first.y != places[[3]int{}].y {
			t.Errorf("rank, step, phase %v lies at %v, want %v", k, p, want)
		}
	}
}

// TestStripIsFolded: a picture wider than a screen goes on in rows, and says so.
func TestStripIsFolded(t *testing.T) {
	cfg := sweeps()
	cfg.Timesteps = 20
	for name, main := range map[string]edt.Func{"sweep": synchp2p.New(cfg).Main(), "chain": chain(400)} {
		p, _ := readSVG(t, record(t, 10000, 2, main))
		rows := map[float64]int{}
		for _, box := range p.Boxes {
			rows[box.Rect.Y]++
		}
		says := func(l text) bool { return strings.Contains(l.Text, "; folded into ") }
		if p.Width > 5*p.Height || !slices.ContainsFunc(p.Texts, says) {
			t.Errorf("%s: %v x %v", name, p.Width, p.Height)
		}
		if name == "chain" && len(rows) < 5 {
			t.Errorf("boxes at %v", rows)
		}
	}
}

// red lists the templates of the boxes of the longest path.
func (p *picture) red() (names []string) {
	for _, box := range p.Boxes {
		if name, _, _ := strings.Cut(box.Title, "\n"); box.Rect.Stroke == "#d00" {
			names = append(names, name)
		}
	}
	return names
}

// TestSVGLongestPath: of two ways to an EDT the longer one counts, whichever slot it leads to.
func TestSVGLongestPath(t *testing.T) {
	p, _ := readSVG(t, record(t, 100, 1, chain(20)))
	got, want := p.with("21 EDTs"), []string{"21 EDTs; the longest path, in red, has 21"}
	if !slices.Equal(got, want) || len(p.red()) != 21 {
		t.Errorf("%q, want %q; %d red boxes", got, want, len(p.red()))
	}
	p, _ = readSVG(t, record(t, 100, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		then := c.NewTemplate("then", 0, 1, nothing)
		_, short := c.Spawn(c.NewTemplate("short", 0, 0, nothing), &edt.Spec{Output: true})
		first, middle := c.Spawn(then, &edt.Spec{Output: true})
		c.AddDependence(guid.Null, first, 0, datablock.Null)
		second, long := c.Spawn(then, &edt.Spec{Output: true})
		join := c.NewTemplate("join", 0, 3, nothing)
		c.NewEDT(join, nil, edt.From(short, datablock.Null), edt.From(long, datablock.Null),
			edt.From(guid.Null, datablock.Null))
		c.AddDependence(middle, second, 0, datablock.Null)
		return guid.Null
	}))
	if got, want := p.red(), []string{"main", "then", "then", "join"}; !slices.Equal(got, want) {
		t.Errorf("the longest path has %q, want %q", got, want)
	}
}

// TestSVGIsBounded: the title says what is left out, and no picture grows without end.
func TestSVGIsBounded(t *testing.T) {
	p, source := readSVG(t, record(t, 700, 2, chain(5000)))
	title := p.with("the first 700 of 5001 EDTs;")
	if len(p.Boxes) != 700 || len(title) != 1 || len(source) > 200<<10 {
		t.Errorf("%d boxes, %q, %d bytes", len(p.Boxes), title, len(source))
	}
	if len(title) == 1 && !strings.HasSuffix(title[0], "; what boxes say is in their tooltips") {
		t.Errorf("%q does not say where names are", title)
	}
}

// TestSVGOfWhatNeverRan: it is a box of its own, beside an EDT of an odd name.
func TestSVGOfWhatNeverRan(t *testing.T) {
	g := record(t, 100, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(c.NewTemplate("odd <b> & \"x\"\x02", 0, 0, nothing), nil)
		c.DestroyEDT(c.NewEDT(c.NewTemplate("never", 0, 1, nothing), nil))
		return guid.Null
	})
	p, source := readSVG(t, g)
	var titles []string
	for _, box := range p.Boxes {
		titles = append(titles, strings.ReplaceAll(box.Title, "\n", "; "))
	}
	slices.Sort(titles)
	if len(titles) != 3 || titles[1] != "never; EDT 3, never ran" || !strings.HasPrefix(titles[2], `odd <b> & "x"`) {
		t.Errorf("%q", titles)
	}
	if !strings.Contains(source, "stroke-dasharray=\"2 2\"") {
		t.Errorf("no dotted box in\n%s", source)
	}
	if err := g.WriteGraph(failing{}, ""); err == nil {
		t.Error("no error")
	}
	if p, _ := readSVG(t, taskdot.New(10, func() int64 { return 0 })); len(p.Boxes) != 0 {
		t.Error("boxes of no run")
	}
}
