package plot

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"ocr/internal/testrun"
	"reflect"
	"strings"
	"testing"
)

func mustCurves(t testing.TB, f Figure) string {
	t.Helper()
	var b strings.Builder
	if err := Curves(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func points(xys ...float64) []Point {
	var ps []Point
	for i := 0; i < len(xys); i += 2 {
		ps = append(ps, Point{X: xys[i], Y: xys[i+1]})
	}
	return ps
}

var (
	sizes     = Axis{Name: "size", Unit: "B", Sizes: true}
	bandwidth = Axis{Name: "bandwidth", Unit: "MiB/s"}
)

func TestCurves(t *testing.T) {
	p := parsePicture(t, mustCurves(t, Figure{Title: "put & get", Panels: []Panel{
		{Title: "bandwidth", X: sizes, Y: bandwidth, Series: []Series{
			{Name: "direct <1>", Points: points(64, 500, 4096, 9000, 1<<20, 12000)},
			{Name: "edt", Points: points(64, 50, 4096, 3000, 1<<20, 11000)},
		}},
		{Title: "latency", X: sizes, Y: Axis{Name: "round trip", Unit: "ns"}, Series: []Series{
			{Name: "direct", Points: points(64, 120, 4096, 500)},
		}},
	}}))
	for text, want := range map[string]int{
		"put & get": 1, "bandwidth": 1, "latency": 1, "direct <1>": 1, "edt": 1, "direct": 1,
		"size (B)": 2, "bandwidth (MiB/s)": 1, "round trip (ns)": 1,
		"64": 2, "4Ki": 2, "1Mi": 1, "100": 1, "1000": 1,
	} {
		if got := p.count(text); got != want {
			t.Errorf("%q is drawn %d times, want %d", text, got, want)
		}
	}
	if p.strokes["1.2"] != 3*2 || p.dashed != 2 {
		t.Errorf("%d curves and their legends, %d dashed; want 6 and 2", p.strokes["1.2"], p.dashed)
	}
}

func TestCurvesFewPoints(t *testing.T) {
	tests := []struct {
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{{X: sizes, Y: bandwidth, Series: tt.series}}}))
			if got := p.count("no data"); got != tt.noData {
				t.Errorf("\"no data\" is drawn %d times, want %d", got, tt.noData)
			}
			for _, s := range tt.series {
				if p.count(s.Name) != 1 {
					t.Errorf("%q is missing in the legend", s.Name)
				}
			}
		})
	}
}

// A panel of more than six series is drawn as several, with the axes of the whole.
func TestCurvesManySeries(t *testing.T) {
	many := Panel{Title: "put", X: sizes, Y: bandwidth}
	for i := range 14 {
		many.Series = append(many.Series, Series{Name: fmt.Sprintf("curve %d", i), Points: points(math.Ldexp(64, i), float64(i+1))})
	}
	few := Panel{Title: "get", X: sizes, Y: bandwidth, Series: many.Series[:6]}
	parts := Figure{Panels: []Panel{many, few}}.split()
	var titles []string
	for _, p := range parts {
		titles = append(titles, fmt.Sprintf("%s: %d", p.Title, len(p.Series)))
		if drawn := newPlot(p); p.Title != "get" && (drawn.X.Max < 64<<13 || drawn.Y.Max < 14) {
			t.Errorf("%s ends at %v, %v", p.Title, drawn.X.Max, drawn.Y.Max)
		}
	}
	if got, want := strings.Join(titles, ", "), "put (1 of 3): 6, put (2 of 3): 6, put (3 of 3): 2, get: 6"; got != want {
		t.Errorf("panels %s, want %s", got, want)
	}
	p := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{many}}))
	for _, s := range many.Series {
		if p.count(s.Name) != 1 {
			t.Errorf("%s is in the legends %d times", s.Name, p.count(s.Name))
		}
	}
}

// A mark has its text in the legend, a ring there and on its curve, lines to the axes and a bar along its interval, and a
// place on the axes even if no point has one.
func TestCurvesMarks(t *testing.T) {
	panel := Panel{X: sizes, Y: bandwidth, Series: []Series{{Name: "edt", Points: points(64, 5, 128, 6)}, {Name: "floor", Points: points(64, 5)}}}
	bare := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{panel}}))
	panel.Series[0].Mark = &Mark{X: 1 << 20, Y: 50, Text: "METG(50 %)"}
	p := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{panel}}))
	if p.count("METG(50 %)") != 1 || p.dashed != bare.dashed+1 || p.count("1Mi") != 1 || p.strokes["0.9"] != bare.strokes["0.9"] {
		t.Errorf("%d dashed lines, %d without marks, texts %v, strokes %v", p.dashed, bare.dashed, p.texts, p.strokes)
	}
	panel.Series[0].Mark.Lo, panel.Series[0].Mark.Hi = 1<<19, 1<<21
	if bars := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{panel}})); bars.strokes["0.9"] != p.strokes["0.9"]+3 {
		t.Errorf("strokes %v, without an interval %v", bars.strokes, p.strokes)
	}
	panel.Series[0].Mark.X = 0
	if err := Curves(&strings.Builder{}, Figure{Panels: []Panel{panel}}); err == nil || !strings.Contains(err.Error(), `series "edt" has (0, 50)`) {
		t.Errorf("a mark beside the axis: %v", err)
	}
}

// An interval is a line with two short ones across, and has room on its axis.
func TestCurvesIntervals(t *testing.T) {
	panel := Panel{X: sizes, Y: bandwidth, Series: []Series{{Name: "edt", Points: points(64, 50, 128, 60)}}}
	bare := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{panel}}))
	panel.Series[0].Points[1].Lo, panel.Series[0].Points[1].Hi = 2, 3000
	p := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{panel}}))
	if p.strokes["0.9"] != bare.strokes["0.9"]+3 || p.count("1000") != 1 {
		t.Errorf("strokes %v, without intervals %v, texts %v", p.strokes, bare.strokes, p.texts)
	}
	panel.Series[0].Points[1].Hi = math.Inf(1)
	if err := Curves(&strings.Builder{}, Figure{Panels: []Panel{panel}}); err == nil {
		t.Error("an interval without end is drawn")
	}
}

// Panels are beside each other, those with the same axes with the same numbers on them, and no two texts overlap.
func TestCurvesSmallMultiples(t *testing.T) {
	var f Figure
	for i := range 7 {
		f.Panels = append(f.Panels, Panel{Title: fmt.Sprintf("test %d", i), X: sizes, Y: bandwidth, Series: []Series{
			{Name: "direct window=64", Points: points(64, 5, 1<<20, math.Pow(10, float64(i)))},
			{Name: "edt", Points: points(64, 7), Mark: &Mark{X: 100, Y: 6, Text: "METG(50 %) 12.3"}},
		}})
	}
	for _, p := range f.split() {
		if drawn := newPlot(p); drawn.Y.Max < 1e6 || drawn.Y.Min > 5 {
			t.Errorf("%s is from %v to %v", p.Title, drawn.Y.Min, drawn.Y.Max)
		}
	}
	p := parsePicture(t, mustCurves(t, f))
	var titles []drawnText
	for i, a := range p.texts {
		if strings.HasPrefix(a.text, "test ") {
			titles = append(titles, a)
		}
		for _, b := range p.texts[:i] {
			if a.turned == b.turned && a.x < b.x+b.width() && b.x < a.x+a.width() && math.Abs(a.y-b.y) < 8 {
				t.Errorf("%q at %v, %v and %q at %v, %v overlap", a.text, a.x, a.y, b.text, b.x, b.y)
			}
		}
	}
	first := 0 // legends of the first column, left of the second one
	for _, a := range p.texts {
		if a.text == "METG(50 %) 12.3" && a.x+a.width() < titles[1].x {
			first++
		}
	}
	if first != 3 {
		t.Errorf("%d legends are left of the second column, want 3", first)
	}
	if len(titles) != 7 || titles[0].y != titles[2].y || titles[0].x >= titles[1].x || titles[3].x != titles[0].x || titles[3].y == titles[0].y {
		t.Errorf("titles %v", titles)
	}
}

func TestCurvesRefuses(t *testing.T) {
	tests := []struct {
		name string
		bad  Point
	}{
		{"zero size", Point{X: 0, Y: 1}}, {"zero value", Point{X: 1, Y: 0}}, {"negative", Point{X: 1, Y: -1}},
		{"not a number", Point{X: 1, Y: math.NaN()}}, {"infinite", Point{X: math.Inf(1), Y: 1}}, {"too large", Point{X: 1, Y: 1e101}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			err := Curves(&b, Figure{Panels: []Panel{{Title: "fine"}, {Title: "latency", Series: []Series{
				{Name: "direct", Points: points(1, 1)}, {Name: "edt", Points: append(points(1, 1), tt.bad)},
			}}}})
			if err == nil || !strings.Contains(err.Error(), `panel 2 ("latency"): series "edt" has (`) || b.Len() > 0 {
				t.Errorf("error %v, %d bytes written", err, b.Len())
			}
		})
	}
	if err := Curves(&strings.Builder{}, Figure{Title: "x"}); err == nil {
		t.Error("a figure without panels is drawn")
	}
	full := errors.New("disk full")
	if err := Curves(failing{full}, Figure{Panels: []Panel{{}}}); !errors.Is(err, full) {
		t.Errorf("error %v, want the writer's", err)
	}
}

// Whatever is not refused is drawn, as XML, and the same each time.
func TestCurvesOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range testrun.Sized(10, 40, 400) {
		f := Figure{Title: "any"}
		for range 1 + rng.IntN(3) {
			p := Panel{X: Axis{Name: "x", Sizes: rng.IntN(2) == 0}, Y: Axis{Name: "y"}}
			for range rng.IntN(30) {
				s := Series{Name: "s"}
				for range rng.IntN(4) {
					s.Points = append(s.Points, Point{X: math.Pow(10, rng.NormFloat64()*4), Y: math.Pow(10, rng.NormFloat64()*10)})
				}
				p.Series = append(p.Series, s)
			}
			f.Panels = append(f.Panels, p)
		}
		svg := mustCurves(t, f)
		parsePicture(t, svg)
		if mustCurves(t, f) != svg {
			t.Fatal("two drawings of one figure differ")
		}
	}
}

// An axis from zero shows zero, and even steps.
func TestCurvesFromZero(t *testing.T) {
	efficiency := Axis{Name: "efficiency", Unit: "%", FromZero: true}
	p := parsePicture(t, mustCurves(t, Figure{Panels: []Panel{
		{X: Axis{Name: "granularity", Unit: "us"}, Y: efficiency, Series: []Series{{Name: "edt", Points: points(0.3, 5, 1, 47, 25, 99)}}},
	}}))
	for _, text := range []string{"0", "50", "100"} {
		if got := p.count(text); got != 1 {
			t.Errorf("%q is drawn %d times, want 1", text, got)
		}
	}
	for _, y := range []float64{math.NaN(), -1, math.Inf(1), 1e-101} {
		err := Curves(&strings.Builder{}, Figure{Panels: []Panel{{Y: efficiency, Series: []Series{{Points: points(1, y)}}}}})
		if err == nil {
			t.Errorf("%v is drawn", y)
		}
	}
	for _, y := range []float64{0, 1e-100, 1e100} {
		mustCurves(t, Figure{Panels: []Panel{{Y: efficiency, Series: []Series{{Points: points(1, y)}}}}})
	}
	mustCurves(t, Figure{Panels: []Panel{{Y: efficiency}}})
}

func TestSizeTicks(t *testing.T) {
	tests := []struct {
		low, high float64
		want      string // names
		marks     int
	}{
		{4, 4, "4", 1},
		{3, 70, "4 8 16 32 64", 5},
		{64, 1 << 22, "64 256 1Ki 4Ki 16Ki 64Ki 256Ki 1Mi 4Mi", 17},
		{1, 1 << 30, "1 16 256 4Ki 64Ki 1Mi 16Mi 256Mi", 31},
		{0.2, 1, "0.25 0.5 1", 3},
	}
	for _, tt := range tests {
		var names []string
		marks := sizeTicks(tt.low, tt.high)
		for _, m := range marks {
			if !m.IsMinor() {
				names = append(names, m.Label)
			}
		}
		if got := strings.Join(names, " "); got != tt.want || len(marks) != tt.marks {
			t.Errorf("sizeTicks(%v, %v): %q of %d marks, want %q of %d", tt.low, tt.high, got, len(marks), tt.want, tt.marks)
		}
	}
}

// TestLogTicks: whatever its range, a logarithmic axis has two numbers on it and more, and none is
// left out at its ends.
func TestLogTicks(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{30, 120, "40 80 120"}, {0.01, 0.05, "0.01 0.03 0.05"}, {3, 299, "40 160 280"}, {1, 100, "1 10 100"},
		{0.03, 40, "0.1 1 10"}, {0.9, 1e5, "1 10 100 1000 10000 100000"},
	} {
		var names []string
		for _, m := range logTicks(tt.low, tt.high) {
			if !m.IsMinor() && m.Value >= tt.low && m.Value <= tt.high {
				names = append(names, m.Label)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("logTicks(%v, %v): %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestLogRange(t *testing.T) {
	tests := [][]float64{{1}, {1, 1}, {61, 66}, {4, 1 << 22}, {1e-100, 1e100}, {1e100}}
	for _, values := range tests {
		low, high := logRange(values)
		for _, v := range values {
			if !(0 < low && low < v && v < high && high < math.Inf(1)) || high/low < 3.99 {
				t.Errorf("axis of %v from %v to %v", values, low, high)
			}
		}
	}
}

// The series of a panel are told apart by colour, and by dashes or shape alone.
func TestLooks(t *testing.T) {
	for i := range mostSeries {
		for k := range i {
			line, marks := look(i)
			otherLine, otherMarks := look(k)
			if line.Color == otherLine.Color || reflect.DeepEqual(line.Dashes, otherLine.Dashes) || reflect.DeepEqual(marks.Shape, otherMarks.Shape) {
				t.Errorf("series %d and %d look alike", k, i)
			}
		}
	}
}
