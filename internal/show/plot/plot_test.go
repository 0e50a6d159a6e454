package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// A picture is what a test sees of an SVG.
type picture struct {
	width, height float64
	texts         []element
	shapes        []element // paths and rectangles
}

// An element has its attributes, its text, and where it lies in the whole picture.
type element struct {
	name, text string
	attributes map[string]string
	x, y       float64
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// box returns about what a text covers.
func (e element) box() (left, top, right, bottom float64) {
	size := number(e.attributes["font-size"])
	width, from := 0.5*size*float64(len([]rune(e.text))), 0.0
	switch e.attributes["text-anchor"] {
	case "middle":
		from = -width / 2
	case "end":
		from = -width
	}
	switch turn := e.attributes["transform"]; {
	case strings.HasPrefix(turn, "rotate(90"):
		return e.x, e.y + from, e.x + 0.7*size, e.y + from + width
	case strings.HasPrefix(turn, "rotate(-90"):
		return e.x - 0.7*size, e.y - from - width, e.x, e.y - from
	}
	return e.x + from, e.y - 0.7*size, e.x + from + width, e.y
}

// draw draws a figure and reads it back. It holds that all texts are inside the picture and none lies on another.
func draw(t *testing.T, f Figure) *picture {
	t.Helper()
	var b strings.Builder
	testrun.OK(t, Curves(&b, f))
	p := parse(t, b.String())
	for i, text := range p.texts {
		left, top, right, bottom := text.box()
		if left < 0 || top < 0 || right > p.width || bottom > p.height {
			t.Errorf("%q at %.0f, %.0f is not inside %v x %v", text.text, text.x, text.y, p.width, p.height)
		}
		for _, other := range p.texts[max(0, i-400):i] { // of very many, those that were drawn before it
			l, o, r, u := other.box()
			if left < r && l < right && top < u && o < bottom && text.text != "" && other.text != "" {
				t.Errorf("%q at %.0f, %.0f and %q at %.0f, %.0f overlap", text.text, text.x, text.y, other.text, other.x, other.y)
			}
		}
	}
	return p
}

// parse reads an SVG whole, so that a fault anywhere in it is found.
func parse(t *testing.T, svg string) *picture {
	t.Helper()
	p := &picture{}
	around := []element{{attributes: map[string]string{"font-size": "16"}}} // groups, with what their elements inherit
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := around[len(around)-1].inside(token)
			around = append(around, e)
			switch e.name {
			case "svg":
				p.width, p.height = number(e.attributes["width"]), number(e.attributes["height"])
			case "text":
				p.texts = append(p.texts, e)
			case "path", "rect":
				p.shapes = append(p.shapes, e)
				if d := e.attributes["d"]; strings.Contains(d, "NaN") || strings.Contains(d, "Inf") {
					t.Errorf("a path has %s", d)
				}
			}
		case xml.EndElement:
			around = around[:len(around)-1]
		case xml.CharData:
			if around[len(around)-1].name == "text" {
				p.texts[len(p.texts)-1].text += string(token)
			}
		}
	}
}

// inside returns an element of another one.
func (e element) inside(start xml.StartElement) element {
	in := element{name: start.Name.Local, attributes: map[string]string{}, x: e.x, y: e.y}
	for _, inherited := range []string{"font-size", "text-anchor", "stroke", "class"} {
		in.attributes[inherited] = e.attributes[inherited]
	}
	for _, a := range start.Attr {
		in.attributes[a.Name.Local] = a.Value
	}
	var x, y float64
	if n, _ := fmt.Sscanf(in.attributes["transform"], "translate(%g %g)", &x, &y); n == 2 {
		in.x, in.y = in.x+x, in.y+y
	}
	in.x, in.y = in.x+number(in.attributes["x"]), in.y+number(in.attributes["y"])
	return in
}

// count returns how often a text stands in the picture.
func (p *picture) count(text string) (n int) {
	for _, e := range p.texts {
		if e.text == text {
			n++
		}
	}
	return n
}

// with returns the shapes with an attribute.
func (p *picture) with(name, value string) (found []element) {
	return slices.DeleteFunc(slices.Clone(p.shapes), func(e element) bool { return e.attributes[name] != value })
}

// commands returns how often a command of the path language is in the shapes of a class.
func (p *picture) commands(class, command string) (n int) {
	for _, e := range p.with("class", class) {
		n += strings.Count(e.attributes["d"], command)
	}
	return n
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func points(xys ...float64) (ps []Point) {
	for i := 0; i < len(xys); i += 2 {
		ps = append(ps, Point{X: xys[i], Y: xys[i+1]})
	}
	return ps
}

var (
	sizes     = Axis{Name: "size (B)", Sizes: true}
	bandwidth = Axis{Name: "bandwidth (MiB/s)"}
)

// one is a figure of a panel of sizes and bandwidths.
func one(series ...Series) Figure {
	return Figure{Panels: []Panel{{Title: "panel", X: sizes, Y: bandwidth, Series: series}}}
}

func TestCurves(t *testing.T) {
	p := draw(t, Figure{Title: "put & get", Panels: []Panel{
		{Title: "bandwidth", X: sizes, Y: bandwidth, Series: []Series{
			{Name: "direct <1>", Points: points(64, 500, 4096, 9000, 1<<20, 12000)},
			{Name: "edt", Points: points(64, 50, 4096, 3000, 1<<20, 11000)},
		}},
		{Title: "latency", X: sizes, Y: Axis{Name: "round trip (ns)"}, Series: []Series{
			{Name: "direct", Points: points(64, 120, 4096, 500)},
		}},
		{Title: "time", X: Axis{Name: "ranks", Chosen: true}, Y: Axis{Name: "time"}, Series: []Series{
			{Name: "c", Points: points(0, 1, 1, 2, 7, 3, 4096, 4)},
		}},
	}})
	for text, want := range map[string]int{
		"put & get": 1, "bandwidth": 1, "latency": 1, "direct <1>": 1, "edt": 1, "direct": 1,
		"size (B)": 2, "bandwidth (MiB/s)": 1, "round trip (ns)": 1, "64": 2, "4Ki": 2, "1Mi": 1, "100": 1, "1000": 1,
		"0": 1, "1": 2, "7": 1, "4096": 1, "time": 2,
	} {
		testrun.Same(t, want, p.count(text), "%q is drawn", text)
	}
	testrun.Same(t, 2+2+1+3, p.commands("curve", "L"), "curves have")
}

func TestFewPoints(t *testing.T) {
	for _, tt := range []struct {
		name   string
		series []Series
		noData int
	}{
		{"no series", nil, 1},
		{"no points", []Series{{Name: "direct"}}, 1},
		{"one point", []Series{{Name: "direct", Points: points(8, 60)}}, 0},
		{"one point of one series", []Series{{Name: "direct"}, {Name: "edt", Points: points(8, 60)}}, 0},
		{"one size", []Series{{Name: "direct", Points: points(8, 60, 8, 70)}}, 0},
		{"one value", []Series{{Name: "direct", Points: points(8, 60, 16, 60)}}, 0},
		{"as far apart as can be", []Series{{Name: "direct", Points: points(1e-100, 1e100, 1e100, 1e-100)}}, 0},
		{"below one", []Series{{Name: "direct", Points: points(0.001, 0.002, 0.003, 0.02)}}, 0},
		{"backwards", []Series{{Name: "direct", Points: points(64, 1, 8, 2)}}, 0},
		{"zero and less", []Series{{Name: "direct", Points: points(0, 0, -1, -2, 7, 1e6)}}, 0},
		{"zero alone", []Series{{Name: "direct", Points: points(0, 0)}}, 0},
	} {
		p := draw(t, one(tt.series...))
		testrun.Same(t, tt.noData, p.count("no data"), "%s: \"no data\" is drawn", tt.name)
		for _, s := range tt.series {
			if p.count(s.Name) != 1 {
				t.Errorf("%s: %q is missing in the legend", tt.name, s.Name)
			}
		}
	}
}

// A panel of too many series is drawn as several, and panels with the same axes have the same numbers on them.
func TestSharedAxes(t *testing.T) {
	many := Panel{Title: "put", X: sizes, Y: bandwidth}
	for i := range 20 {
		many.Series = append(many.Series, Series{Name: fmt.Sprintf("curve %d", i),
			Points: points(math.Ldexp(64, i/4*5), float64(i+1))})
	}
	few := Panel{Title: "get", X: sizes, Y: bandwidth, Series: []Series{{Name: "alone", Points: points(64, 5)}}}
	p := draw(t, Figure{Panels: []Panel{many, few}})
	for text, want := range map[string]int{
		"put (1 of 3)": 1, "put (2 of 3)": 1, "put (3 of 3)": 1, "get": 1, "64": 4, "2Ki": 4, "64Mi": 4, "curve 19": 1,
		"alone": 1,
	} {
		testrun.Same(t, want, p.count(text), "%q is drawn", text)
	}
}

// A note is in the legend. A mark has a ring, dashed lines to the axes, a bar along its interval, and a place on the
// axes even if no point has one.
func TestMarks(t *testing.T) {
	f := one(Series{Name: "edt", Points: points(64, 5, 128, 6)}, Series{Name: "floor", Points: points(64, 5)})
	f.Panels[0].Series[0].Note = "METG(50 %)"
	f.Panels[0].Series[0].Mark = &Mark{X: 1 << 20, Y: 50}
	p := draw(t, f)
	if p.count("edt: METG(50 %)") != 1 || p.count("1Mi") != 1 || len(p.with("class", "mark")) != 1 ||
		p.commands("dots", ring) != 1 {
		t.Errorf("texts %v, shapes %v", p.texts, p.shapes)
	}
	f.Panels[0].Series[0].Mark.Lo, f.Panels[0].Series[0].Mark.Hi = 1<<19, 1<<21
	if p := draw(t, f); p.commands("interval", "H") != 1 || p.count("2Mi")+p.count("1Mi") == 0 {
		t.Errorf("shapes %v, want a bar", p.shapes)
	}
}

// An interval is a line, and has room on its axis.
func TestIntervals(t *testing.T) {
	f := one(Series{Name: "edt", Points: points(64, 50, 128, 60)})
	f.Panels[0].Series[0].Points[1].Lo, f.Panels[0].Series[0].Points[1].Hi = 2, 3000
	if p := draw(t, f); p.commands("interval", "V") != 1 || p.count("1000") != 1 {
		t.Errorf("texts %v, shapes %v", p.texts, p.shapes)
	}
}

// Panels are in rows that are at most maxWidth wide, with their legends between them.
func TestManyPanels(t *testing.T) {
	var f Figure
	for i := range 7 {
		f.Panels = append(f.Panels, Panel{Title: fmt.Sprintf("test %d", i), X: sizes, Y: bandwidth, Series: []Series{
			{Name: "direct window=64", Points: points(64, 5, 1<<20, math.Pow(10, float64(i)))},
			{Name: "edt", Points: points(64, 7), Note: "METG(50 %) 12.3", Mark: &Mark{X: 100, Y: 6}},
		}})
	}
	p := draw(t, f)
	var titles []element
	legends := 0 // left of the second column
	for _, e := range p.texts {
		if strings.HasPrefix(e.text, "test ") {
			titles = append(titles, e)
		}
	}
	for _, e := range p.texts {
		if _, _, right, _ := e.box(); e.text == "edt: METG(50 %) 12.3" && right < titles[1].x {
			legends++
		}
	}
	if len(titles) != 7 || titles[0].y != titles[1].y || titles[2].x != titles[0].x || titles[2].y == titles[0].y ||
		legends != 4 || p.width > maxWidth {
		t.Errorf("titles %v, and %d legends beside the first column", titles, legends)
	}
}

// Names lie at the ends of their curves, none on another, also where all curves end in one point.
func TestNamesAtEnds(t *testing.T) {
	f := one(Series{Name: "low", Points: points(64, 5, 1<<20, 1)}, Series{Name: "high", Points: points(64, 5, 1<<20, 900)},
		Series{Name: "middle", Points: points(64, 5, 1<<20, 30)}, Series{Name: "none"})
	for range 4 {
		f.Panels[0].Series = append(f.Panels[0].Series, Series{Name: "same", Points: points(64, 5, 1<<20, 900)})
	}
	p := draw(t, f)
	at := map[string]float64{}
	var heights []float64
	for _, e := range p.texts {
		switch e.text {
		case "low", "high", "middle", "none", "same":
			at[e.text] = e.y
			heights = append(heights, e.y)
		}
	}
	slices.Sort(heights)
	for i := range heights[1:] {
		if heights[i+1]-heights[i] < sampleHeight-0.2 {
			t.Errorf("names overlap: their heights are %v", heights)
		}
	}
	if at["high"] >= at["middle"] || at["middle"] >= at["low"] || at["middle"]-at["high"] < 5*sampleHeight {
		t.Errorf("the names are at %v, want them at the ends of their curves", at)
	}
	testrun.Same(t, 7, p.commands("leader", "L"), "lines to names")
}

// A line marks a value of the upright axis, and an axis that is logarithmic by choice has decades.
func TestLineAndDecades(t *testing.T) {
	f := Figure{Panels: []Panel{{X: Axis{Log: true}, Y: Axis{FromZero: true, Line: 50},
		Series: []Series{{Name: "edt", Points: points(90, 20, 1100, 70)}}}}}
	p := draw(t, f)
	if len(p.with("class", "axis threshold")) != 1 || p.count("50") != 1 || p.count("200") != 1 || p.count("100") != 2 {
		t.Errorf("texts %v, shapes %v", p.texts, p.shapes)
	}
	f.Panels[0].X.Log, f.Panels[0].Y.Line = false, 0
	f.Panels[0].Series[0].Points[1].X = 900 // less than 20 times as far
	if p := draw(t, f); len(p.with("class", "axis threshold")) != 0 || p.count("50") != 0 {
		t.Errorf("texts %v, want none of a line", p.texts)
	}
}

// An axis from zero shows zero, and even steps.
func TestFromZero(t *testing.T) {
	p := draw(t, Figure{Panels: []Panel{{
		X: Axis{Name: "granularity (us)"}, Y: Axis{Name: "efficiency (%)", FromZero: true},
		Series: []Series{{Name: "edt", Points: points(0.3, 5, 1, 47, 25, 60)}},
	}}})
	for _, text := range []string{"0", "40", "100"} {
		if p.count(text) != 1 {
			t.Errorf("%q is drawn %d times, want 1", text, p.count(text))
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, bad := range []Series{
		{Points: points(math.NaN(), 1)}, {Points: points(1, math.Inf(1))}, {Points: []Point{{X: 1, Y: 1, Hi: math.Inf(1)}}},
		{Mark: &Mark{X: math.Inf(-1)}},
	} {
		bad.Name = "edt"
		var b strings.Builder
		err := Curves(&b, Figure{Panels: []Panel{{Title: "fine"},
			{Title: "latency", Series: []Series{{Name: "direct"}, bad}}}})
		if err == nil || !strings.Contains(err.Error(), `panel 2 ("latency"): series "edt" has `) || b.Len() > 0 {
			t.Errorf("%+v: error %v, %d bytes written", bad, err, b.Len())
		}
	}
	if err := Curves(io.Discard, Figure{Title: "x"}); err == nil {
		t.Error("a figure of nothing is drawn")
	}
	full := errors.New("disk full")
	if err := Curves(failing{full}, one()); !errors.Is(err, full) {
		t.Errorf("error %v, want the writer's", err)
	}
}

// The series of a panel differ in colour, and also in dashes and in shape.
func TestLooks(t *testing.T) {
	for i := range shapes {
		for k := range i {
			if color(i) == color(k) || dashes[i] == dashes[k] || shapes[i] == shapes[k] {
				t.Errorf("series %d and %d look alike", k, i)
			}
		}
	}
}
