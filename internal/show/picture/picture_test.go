package picture

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

	"ocr/internal/core/topo"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
)

// A seen is what a test reads of an SVG.
type seen struct {
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

// box returns about the area that a text covers.
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

// draw draws a figure and reads it back. It checks that all texts are inside the picture and no two overlap.
func draw(t *testing.T, f Figure) *seen {
	t.Helper()
	var b strings.Builder
	testrun.OK(t, f.Write(&b))
	p := parse(t, b.String())
	for i, text := range p.texts {
		left, top, right, bottom := text.box()
		if left < 0 || top < 0 || right > p.width || bottom > p.height {
			t.Errorf("%q at %.0f, %.0f is not inside %v x %v", text.text, text.x, text.y, p.width, p.height)
		}
		for _, other := range p.texts[max(0, i-400):i] { // of very many texts, only the 400 before it
			l, o, r, u := other.box()
			if left < r && l < right && top < u && o < bottom && text.text != "" && other.text != "" {
				t.Errorf("%q at %.0f, %.0f and %q at %.0f, %.0f overlap", text.text, text.x, text.y, other.text, other.x, other.y)
			}
		}
	}
	return p
}

// parse reads a whole SVG, so that it finds an error anywhere in it.
func parse(t *testing.T, svg string) *seen {
	t.Helper()
	p := &seen{}
	around := []element{{attributes: map[string]string{"font-size": "16"}}} // groups, with what their elements inherit
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		testrun.OK(t, err, "not XML")
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

// inside returns an element inside e, with the attributes that it inherits.
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

// count returns how often the picture has a text.
func (p *seen) count(text string) (n int) {
	for _, e := range p.texts {
		if e.text == text {
			n++
		}
	}
	return n
}

// with returns the shapes with an attribute.
func (p *seen) with(name, value string) (found []element) {
	return slices.DeleteFunc(slices.Clone(p.shapes), func(e element) bool { return e.attributes[name] != value })
}

// commands returns how often a command of the path language is in the shapes of a class.
func (p *seen) commands(class, command string) (n int) {
	for _, e := range p.with("class", class) {
		n += strings.Count(e.attributes["d"], command)
	}
	return n
}

func points(xys ...float64) (list []Point) {
	for i := 0; i < len(xys); i += 2 {
		list = append(list, Point{X: xys[i], Y: xys[i+1]})
	}
	return list
}

// one is a figure of curves of sizes and bandwidths.
func one(series ...Series) Figure {
	return Figure{Curves: []Curves{{Title: "put", X: Axis{"bytes", Sizes}, Y: Axis{Name: "MiB/s"}, Series: series}}}
}

// percents is a figure of efficiencies at two values of x, from and to.
func percents(from, to float64) Figure {
	return Figure{Curves: []Curves{{X: Axis{Name: "ns"}, Y: Axis{"%", Percent}, Series: []Series{
		{Name: "edt", Points: points(from, 20, to, 70)}}}}}
}

func maps(in ...input) (f Figure) {
	for _, m := range in {
		f.Maps = append(f.Maps, m.matrix())
	}
	return f
}

// An input is what a matrix is made of.
type input struct {
	topology topo.Topology
	cpus     []int
	values   map[matrix.Pair]float64
}

func (in input) matrix() *matrix.Matrix {
	return matrix.New("single", "ns", &in.topology, in.cpus, in.values)
}

// regular returns the input of a machine: nodes, level 3 caches and cores are those of a package, threads of a core.
func regular(packages, nodes, l3s, cores, threads int) input {
	in := input{values: map[matrix.Pair]float64{}}
	for id := range packages * cores * threads {
		core := id % (packages * cores)
		cpu := topo.CPU{ID: id, Core: core, L2: core, Package: core / cores, Node: core * nodes / cores}
		cpu.L3 = core * l3s / cores
		for thread := range threads {
			cpu.Siblings = append(cpu.Siblings, core+thread*packages*cores)
		}
		in.topology.CPUs, in.cpus = append(in.topology.CPUs, cpu), append(in.cpus, id)
	}
	for to := range in.cpus {
		for from := range to {
			far := float64(1 + in.topology.Distance(from, to))
			in.values[matrix.Pair{From: from, To: to}] = 7.2*far*far + float64((from*7+to*13)%11)/4
		}
	}
	return in
}

// two is a matrix of three CPUs: two of the pairs have a value, a and b.
func two(a, b float64) input {
	in := regular(1, 1, 1, 3, 1)
	in.values = map[matrix.Pair]float64{{From: 0, To: 1}: a, {From: 2, To: 1}: b}
	return in
}

// lacking is a machine of two cores of two threads without one or all values.
func lacking(all bool) input {
	in := regular(1, 1, 1, 2, 2)
	if delete(in.values, matrix.Pair{From: 0, To: 1}); all {
		in.values = nil
	}
	return in
}

// many is a figure of one curve, and of n curves on the same axes in a second picture.
func many(n int) Figure {
	f := one(Series{Name: "alone", Points: points(64, 5)})
	f.Curves = append(f.Curves, f.Curves[0])
	f.Curves[1].Series = nil
	for i := range n {
		f.Curves[1].Series = append(f.Curves[1].Series,
			Series{Name: fmt.Sprintf("curve %d", i), Points: points(math.Ldexp(64, i/4*5), float64(i+1), 1<<30, 3)})
	}
	return f
}

const framed = "framed: both CPUs are threads of one core"

// TestFigures: the drawing of a figure: its texts, and the commands of its paths by class. In no figure does a text
// stick out, or overlap another.
func TestFigures(t *testing.T) {
	marked := one(Series{Name: "edt", Points: points(64, 5, 128, 6),
		Mark: &Point{X: 1 << 20, Y: 50, Lo: 1 << 19, Hi: 1 << 21}}, Series{Name: "floor", Points: points(64, 5)})
	wide := one(Series{Name: "edt", Points: []Point{{X: 64, Y: 50}, {X: 128, Y: 60, Lo: 2, Hi: 3000}}})
	all := maps(regular(1, 1, 1, 2, 2), two(1, 2))
	all.Title, all.About, all.Curves = "all <& \x01 \xff", strings.Repeat("EPYC, ", 40), one(Series{Name: "edt"}).Curves
	all.Intervals = []Intervals{{Title: "forms", Rows: []Interval{
		{Name: "serial <1>", Value: 3, Lo: 2, Hi: 4, Text: "3 ns"}, {Name: "edt", Text: "0 ns"}}}}
	for name, c := range map[string]struct {
		Figure
		texts string // each with how often it is drawn
		paths map[[2]string]int
	}{
		"curves": {one(Series{Name: "direct <1>", Points: points(64, 500, 4096, 9000, 1<<20, 12000)},
			Series{Name: "edt", Points: points(64, 50, 4096, 3000)}),
			"put=1,direct <1>=1,edt=1,bytes=1,MiB/s=1,64=1,4Ki=1,1Mi=1,100=1,1000=1,no data=0",
			map[[2]string]int{{"curve", "L"}: 3, {"dots", "M"}: 5}},
		"values": {Figure{Curves: []Curves{{X: Axis{"ranks", Values},
			Series: []Series{{Points: points(0, 1, 1, 2, 7, 3, 4096, 4)}}}}},
			"ranks=1,0=1,7=0,4096=1", map[[2]string]int{{"curve", "L"}: 3}},
		"percents":  {percents(60, 1300), "0=1,40=1,50=1,200=1,100=2,1000=1", map[[2]string]int{{"axis threshold", "L"}: 1}},
		"marked":    {marked, "edt=1,floor=1,64=1", map[[2]string]int{{"mark", "M"}: 1, {"interval", "H"}: 1}},
		"interval":  {wide, "1000=1", map[[2]string]int{{"interval", "V"}: 1}},
		"many":      {many(20), "64=2,2Ki=2,64Mi=2,1Gi=2,curve 19=1,alone=1", map[[2]string]int{{"curve", "L"}: 20}},
		"none":      {one(), "no data=1", nil},
		"no points": {one(Series{Name: "direct"}), "no data=1,direct=1", nil},
		"one point": {one(Series{Name: "direct"}, Series{Name: "edt", Points: points(8, 60)}), "no data=0,direct=1", nil},
		"far": {one(Series{Name: "direct", Points: points(1e-100, 1e100, 1e100, 1e-100, 5e-324, 5e-324)}), "no data=0",
			nil},
		"less": {one(Series{Name: "direct", Points: points(0, 0, -1, -2, 7, 1e6)}), "no data=0", nil},
		"zero": {one(Series{Name: "direct", Points: points(0, 0)}), "no data=0", nil},
		"all": {all, "all <& \ufffd \ufffd=1,single (ns)=2,forms=1,put=1,serial <1>=1,3 ns=1",
			map[[2]string]int{{"bar", "L"}: 2, {"interval", "L"}: 2}},
		"laptop": {maps(regular(1, 1, 1, 2, 2)), "single (ns)=1,CPU=2," + framed + "=1,package 0=0", nil},
		"epyc": {maps(regular(2, 2, 4, 8, 1)), "package 0=2,package 1=2,node 3=2,L3 7=2,package 2=0," + framed + "=0",
			map[[2]string]int{{"axis", "M"}: 22 + 5}}, // boundaries of each level, and numbers of the bar
		"snc":     {maps(regular(2, 2, 1, 4, 2)), "node 0=2," + framed + "=1", nil},
		"large":   {maps(regular(2, 1, 8, 64, 1)), "CPU=2", nil},
		"larger":  {maps(regular(2, 1, 8, 65, 1)), "CPU=2", nil},
		"lacking": {maps(lacking(false)), "grey: not measured (1 of 6 pairs)=1", nil},
		"unknown": {maps(lacking(true)), "grey: not measured (6 of 6 pairs)=1", nil},
		"even":    {maps(two(59.27, 59.27)), "59.3=4,CPU=2", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := draw(t, c.Figure)
			for _, want := range strings.Split(c.texts, ",") {
				text, count, _ := strings.Cut(want, "=")
				testrun.Same(t, count, strconv.Itoa(p.count(text)), "%q is drawn", text)
			}
			for what, want := range c.paths {
				testrun.Same(t, want, p.commands(what[0], what[1]), "commands %q", what)
			}
			for _, d := range c.Drawings() {
				parse(t, d.HTML())
			}
		})
	}
}

// TestCells: every cell but the diagonal is filled, grey if its value is missing, and has its value as text if there
// are not too many; the cells of two threads of a core have a frame.
func TestCells(t *testing.T) {
	for name, c := range map[string]struct {
		input
		frames, bar int
	}{
		"two": {two(1, 2), 0, 60}, "even": {two(3, 3), 0, 0},
		"laptop": {regular(1, 1, 1, 2, 2), 4, 60},
		"epyc":   {regular(2, 2, 4, 8, 1), 0, 60}, "snc": {regular(2, 2, 1, 4, 2), 16, 60},
		"larger":  {regular(2, 1, 8, 65, 1), 0, 60},
		"lacking": {lacking(false), 4, 60}, "unknown": {lacking(true), 4, 0},
	} {
		m, p := c.matrix(), draw(t, maps(c.input))
		frames, cells, values := 0, 0, map[string]int{}
		for _, e := range p.shapes {
			switch fill := e.attributes["fill"]; {
			case e.name == "rect" && fill == "none":
				frames++
			case strings.HasPrefix(fill, "#"):
				cells++
			}
		}
		missing, n := -len(m.CPUs), len(m.CPUs) // without the diagonal
		for _, row := range m.Values {
			for _, v := range row {
				switch {
				case math.IsNaN(v):
					missing++
				case n <= mostNumbered:
					values[m.Format(v)]++
				}
			}
		}
		testrun.Same(t, []int{c.frames, c.bar + n*(n-1)}, []int{frames, cells}, "%s: frames and cells", name)
		testrun.Same(t, missing, len(p.with("fill", "#ddd")), "%s: grey cells", name)
		for text, want := range values { // or more: it may be the number of a CPU or on the colour bar too
			if p.count(text) < want {
				t.Errorf("%s: %q is drawn %d times, want %d or more", name, text, p.count(text), want)
			}
		}
	}
}

// TestColours: the least value is dark with white digits, the greatest bright with black ones.
func TestColours(t *testing.T) {
	for _, text := range draw(t, maps(two(111, 999))).texts {
		if want := map[string]string{"111": "fill:#fff", "999": "fill:#000"}[text.text]; text.attributes["style"] != want {
			t.Errorf("%q is drawn with %q, want %q", text.text, text.attributes["style"], want)
		}
	}
}

// TestLooks: no two of 64 series have the same colour, dashes and shape, and the first differ in each.
func TestLooks(t *testing.T) {
	looks := map[string]int{}
	for k := range 64 {
		looks[color(k)+dash(k)+shape(k)]++
		if k < MostSeries {
			looks[color(k)]++
			looks[dash(k)]++
			looks[shape(k)]++
		}
	}
	testrun.Same(t, 64+3*MostSeries, len(looks), "looks")
}

// TestRows: pictures are beside each other in rows that are at most as wide as a page.
func TestRows(t *testing.T) {
	var f Figure
	for i := range 7 {
		series := []Series{{Points: points(64, 5, 99, float64(i))}}
		f.Curves = append(f.Curves, Curves{Title: fmt.Sprint("test ", i), Series: series})
	}
	p := draw(t, f)
	places := map[float64]int{} // rows
	for _, e := range p.texts {
		if strings.HasPrefix(e.text, "test ") {
			places[e.y]++
		}
	}
	if len(places) != 3 || p.width > mostWidth {
		t.Errorf("rows %v of a picture %v wide", places, p.width)
	}
}

// TestTicks: round numbers of axes.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{100, 110, "100 102 104 106 108 110"},
		{0, 0, "0 0.2 0.4 0.6 0.8 1"},
		{5, 5, "4.6 4.8 5 5.2 5.4"},
		{1, 900, "1 10 100 1000"},
		{2, 300, "2 5 10 20 50 100 200"},
		{8, 4e6, "10 100 1000 10k 100k 1M"},
		{1e15, 1e15 + 0.25, "900T 950T 1000T 1050T 1100T"},
		{-3, 3, "-2 0 2"},
		{1.5e9, 1.9e9, "1.5G 1.6G 1.7G 1.8G 1.9G"},
		{-1e100, 1e100, "-1e+88T -5e+87T 0 5e+87T 1e+88T"},
		{1e-100, 1e3, "1e-12 1e-11 1e-10 1e-09 1e-08 1e-07 1e-06 1e-05 0.0001 0.001 0.01 0.1 1 10 100 1000"},
	} {
		s := newScale(c.low, c.high, 0, 1000, c.low > 0 && c.high/c.low >= farApart)
		var got []string
		for _, tick := range s.ticks(s.rounds(), decimal) {
			if got = append(got, tick.label); tick.at < 0 || tick.at > 1000 {
				t.Errorf("%v .. %v: %s is at %v", c.low, c.high, tick.label, tick.at)
			}
		}
		testrun.Same(t, c.want, strings.Join(got, " "), "ticks of %v .. %v", c.low, c.high)
	}
	for v, want := range map[float64]string{0.25: "0.25", 1000: "1000", 4096: "4Ki", 1536: "1.5Ki", 1 << 20: "1Mi",
		1 << 40: "1Ti"} {
		testrun.Same(t, want, binary(v), "%v", v)
	}
}
