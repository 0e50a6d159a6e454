package plot

import (
	"fmt"
	"strings"
	"testing"

	"ocr/internal/show/matrix"
	"ocr/internal/show/matrix/matrixtest"
)

var (
	pairOnly = matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 1}
	laptop   = matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 2}
	epyc     = matrixtest.Machine{Packages: 2, Nodes: 2, L3s: 4, Cores: 8, Threads: 1}
	xeonSNC  = matrixtest.Machine{Packages: 2, Nodes: 2, L3s: 1, Cores: 4, Threads: 2}
	large    = matrixtest.Machine{Packages: 2, Nodes: 1, L3s: 8, Cores: 64, Threads: 1}
	larger   = matrixtest.Machine{Packages: 2, Nodes: 1, L3s: 8, Cores: 65, Threads: 1}
)

// maps is a figure of matrices.
func maps(in ...matrix.Input) (f Figure) {
	for _, m := range in {
		f.Maps = append(f.Maps, matrix.New(m))
	}
	return f
}

// pair is two CPUs, with a value each way.
func pair(title string, there, back float64) matrix.Input {
	in := matrixtest.Input(pairOnly, title)
	in.Values = map[matrix.Pair]float64{{From: 0, To: 1}: there, {From: 1, To: 0}: back}
	return in
}

const framed = "framed: both CPUs are threads of one core"

// Every cell but the diagonal is filled, with its value in it if there are not too many; names stand above the cells
// and to the right of them, and each boundary has two lines.
func TestHeatMap(t *testing.T) {
	for name, tt := range map[string]struct {
		machine     matrixtest.Machine
		cpus        int
		names, none []string
		boundaries  map[matrix.Level]int
		frames      int
	}{
		"pair":   {pairOnly, 2, nil, []string{"package 0", "node 0", "L3 0", framed}, nil, 0},
		"laptop": {laptop, 4, nil, nil, nil, 4},
		"epyc": {epyc, 16, []string{"package 0", "package 1", "node 3", "L3 7"}, []string{"package 2"},
			map[matrix.Level]int{matrix.Package: 2, matrix.Node: 4, matrix.L3: 8}, 0},
		"snc":    {xeonSNC, 16, []string{"node 0"}, nil, nil, 16},
		"large":  {large, 128, nil, nil, nil, 0},
		"larger": {larger, 130, nil, nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			in := matrixtest.Input(tt.machine, "single")
			m, p := matrix.New(in), draw(t, maps(in))
			cells := 0
			for _, e := range p.shapes {
				if strings.HasPrefix(e.attributes["fill"], "#") {
					cells++
				}
			}
			if want := tt.cpus*(tt.cpus-1) + 60; cells != want { // the bar has 60
				t.Errorf("%d filled shapes, want %d", cells, want)
			}
			values := map[string]int{}
			for row := range m.Len() {
				for column := range m.Len() {
					if v, ok := m.Value(row, column); ok {
						values[m.Format(v)]++
					}
				}
			}
			for text, want := range values { // or more: it may be the number of a CPU or on the colour bar too
				if got := p.count(text); m.Len() <= maxNumbered && got < want {
					t.Errorf("%q is drawn %d times, want %d or more", text, got, want)
				}
			}
			if m.Len() > maxNumbered && len(p.texts) > 3*tt.cpus {
				t.Errorf("%d texts: values in the cells of %d CPUs", len(p.texts), tt.cpus)
			}
			for _, text := range []string{"single (ns)", "to CPU", "from CPU"} {
				if p.count(text) != 1 {
					t.Errorf("%q is drawn %d times, want 1", text, p.count(text))
				}
			}
			for _, text := range tt.names {
				if p.count(text) != 2 {
					t.Errorf("%q is drawn %d times, want 2", text, p.count(text))
				}
			}
			for _, text := range tt.none {
				if p.count(text) != 0 {
					t.Errorf("%q is drawn", text)
				}
			}
			for level, want := range tt.boundaries {
				if got := len(p.with("stroke-width", fmt.Sprint(widths[level]))); got != want {
					t.Errorf("%d lines of level %v, want %d", got, level, want)
				}
			}
			if frames := len(p.with("fill", "none")) - p.paths(); frames != tt.frames || p.count(framed) != min(tt.frames, 1) {
				t.Errorf("%d frames, want %d, and to be told %d times", frames, tt.frames, p.count(framed))
			}
		})
	}
}

// paths counts lines, which are not filled either.
func (p *picture) paths() (n int) {
	for _, e := range p.shapes {
		if e.name == "path" {
			n++
		}
	}
	return n
}

func TestHeatMapPartial(t *testing.T) {
	in := matrixtest.Input(laptop, "single")
	delete(in.Values, matrix.Pair{From: 0, To: 1})
	if p := draw(t, maps(in)); p.count("grey: not measured (1 of 12 pairs)") != 1 || len(p.with("fill", "#ddd")) != 1 {
		t.Errorf("texts %v", p.texts)
	}
	in.Values = nil
	if p := draw(t, maps(in)); p.count("grey: not measured (12 of 12 pairs)") != 1 || len(p.with("fill", "#ddd")) != 12 {
		t.Errorf("nothing measured: texts %v", p.texts)
	}
}

func TestHeatMapOneValue(t *testing.T) {
	in := pair("flow, polled, 128 x 8 bytes: median time one way", 59.27, 0)
	in.Symmetric, in.Values = true, map[matrix.Pair]float64{{From: 0, To: 1}: 59.27}
	p := draw(t, maps(in))
	if p.count("59.3") != 2 || len(p.shapes) != 1+2 { // two cells on white, and no bar
		t.Errorf("%d shapes, texts %v", len(p.shapes), p.texts)
	}
	if p.count("CPU") != 2 || p.count("from CPU") != 0 {
		t.Errorf("a symmetric matrix has directions: %v", p.texts)
	}
}

// The least value is dark with white digits, the greatest bright with black ones, and between them colours get
// brighter.
func TestHeatMapColours(t *testing.T) {
	p := draw(t, maps(pair("single", 111, 999)))
	for _, text := range p.texts {
		if want := map[string]string{"111": "fill:#fff", "999": "fill:#000"}[text.text]; text.attributes["style"] != want {
			t.Errorf("%q is drawn with %q, want %q", text.text, text.attributes["style"], want)
		}
	}
	previous := -1.0
	for part := 0.0; part <= 1; part += 1.0 / 128 {
		fill, _ := viridis(part)
		var r, g, b int
		if _, err := fmt.Sscanf(fill, "#%02x%02x%02x", &r, &g, &b); err != nil {
			t.Fatal(fill, err)
		}
		light := 0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)
		if light < previous-0.5 { // components are rounded
			t.Errorf("%s at %v is darker than the one before", fill, part)
		}
		previous = light
	}
	if previous < 0xc0 {
		t.Errorf("the brightest colour has lightness %v", previous)
	}
}

func TestFigureOfAll(t *testing.T) {
	f := maps(matrixtest.Input(laptop, "single"), pair("dual", 1, 2))
	f.Title, f.Panels = "both <& \x01 \xff", one(Series{Name: "edt", Points: points(1, 2, 3, 4)}).Panels
	p := draw(t, f)
	for _, text := range []string{"single (ns)", "dual (ns)", "both <& \ufffd \ufffd", "panel"} {
		if p.count(text) != 1 {
			t.Errorf("%q is missing in %v", text, p.texts)
		}
	}
	var first, again strings.Builder
	if Curves(&first, f) != nil || Curves(&again, f) != nil || first.String() != again.String() {
		t.Error("two drawings of one figure differ")
	}
}
