package plot

import (
	"errors"
	"image/color"
	"strings"
	"testing"

	"ocr/internal/matrix"
	"ocr/internal/matrix/matrixtest"
)

var (
	pairOnly = matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 1}
	laptop   = matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 2}
	epyc     = matrixtest.Machine{Packages: 2, Nodes: 2, L3s: 4, Cores: 8, Threads: 1}
	xeonSNC  = matrixtest.Machine{Packages: 2, Nodes: 2, L3s: 1, Cores: 4, Threads: 2}
	large    = matrixtest.Machine{Packages: 2, Nodes: 1, L3s: 8, Cores: 64, Threads: 1}
	larger   = matrixtest.Machine{Packages: 2, Nodes: 1, L3s: 8, Cores: 65, Threads: 1}
)

func mustDraw(t testing.TB, title string, panels ...*matrix.Matrix) string {
	t.Helper()
	var b strings.Builder
	if err := Curves(&b, Figure{Title: title, Maps: panels}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every cell but the diagonal is filled; besides them, the page.
func TestHeatMapCells(t *testing.T) {
	tests := []struct {
		name     string
		machine  matrixtest.Machine
		cpus     int
		numbered bool
	}{
		{"pair", pairOnly, 2, true}, {"laptop", laptop, 4, true}, {"epyc", epyc, 16, true},
		{"snc", xeonSNC, 16, true}, {"large", large, 128, true}, {"larger", larger, 130, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := matrix.New(matrixtest.Input(tt.machine, "single"))
			p := parsePicture(t, mustDraw(t, "core to core", m))
			if want := tt.cpus*(tt.cpus-1) + 1; p.filled != want {
				t.Errorf("%d filled shapes, want %d", p.filled, want)
			}
			values := map[string]int{}
			for row := range m.Len() {
				for column := range m.Len() {
					if v, ok := m.Value(row, column); ok {
						values[m.Format(v)]++
					}
				}
			}
			for text, want := range values { // or more: it may be a CPU's number or on the colour bar too
				if got := p.count(text); tt.numbered && got < want {
					t.Errorf("%q is drawn %d times, want %d or more", text, got, want)
				}
			}
			if !tt.numbered && len(p.texts) > 3*tt.cpus {
				t.Errorf("%d texts: values in the cells of %d CPUs", len(p.texts), tt.cpus)
			}
		})
	}
}

func TestHeatMapNames(t *testing.T) {
	tests := []struct {
		name    string
		machine matrixtest.Machine
		present []string // each above and left
		absent  []string
	}{
		{"pair", pairOnly, []string{"0", "1"}, []string{"package 0", "node 0", "L3 0", "framed: both CPUs are threads of one core"}},
		{"epyc", epyc, []string{"package 0", "package 1", "node 3", "L3 7"}, []string{"package 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parsePicture(t, mustDraw(t, "", matrix.New(matrixtest.Input(tt.machine, "single"))))
			for _, text := range tt.present {
				if got := p.count(text); got != 2 {
					t.Errorf("%q is drawn %d times, want 2", text, got)
				}
			}
			for _, text := range tt.absent {
				if got := p.count(text); got != 0 {
					t.Errorf("%q is drawn %d times, want none", text, got)
				}
			}
			for _, text := range []string{"single (ns)", "to CPU", "from CPU"} {
				if got := p.count(text); got != 1 {
					t.Errorf("%q is drawn %d times, want 1", text, got)
				}
			}
		})
	}
}

// barLines is what the axis of the colour bar draws: itself, and its ticks.
const barLines = 6

// Lines are drawn twice for each boundary, frames once for each cell of siblings.
func TestHeatMapLines(t *testing.T) {
	p := parsePicture(t, mustDraw(t, "", matrix.New(matrixtest.Input(epyc, "x"))))
	if p.strokes["2"] != 2 || p.strokes["1"] != 4 || p.strokes["0.5"] != 8+barLines {
		t.Errorf("lines by width: %v, want 2 of packages (2), 4 of nodes (1), 8 of caches (0.5)", p.strokes)
	}
	p = parsePicture(t, mustDraw(t, "", matrix.New(matrixtest.Input(laptop, "x"))))
	if frames := p.strokes["1.6"]; frames != 4 {
		t.Errorf("lines by width: %v, want 4 frames", p.strokes)
	}
	if p.count("framed: both CPUs are threads of one core") != 1 {
		t.Error("frames are not explained")
	}
}

func TestHeatMapPartial(t *testing.T) {
	in := matrixtest.Input(laptop, "single")
	delete(in.Values, matrix.Pair{From: 0, To: 1})
	p := parsePicture(t, mustDraw(t, "", matrix.New(in)))
	if p.count("grey: not measured (1 of 12 pairs)") != 1 || p.filled != 12+1 {
		t.Errorf("%d filled shapes, texts %v", p.filled, p.texts)
	}
	in.Values = nil
	p = parsePicture(t, mustDraw(t, "", matrix.New(in)))
	if p.count("grey: not measured (12 of 12 pairs)") != 1 || p.filled != 12+1 {
		t.Errorf("nothing measured: %d filled shapes, texts %v", p.filled, p.texts)
	}
}

func TestHeatMapOneValue(t *testing.T) {
	in := matrixtest.Input(pairOnly, "single")
	in.Symmetric, in.Values = true, map[matrix.Pair]float64{{From: 0, To: 1}: 59.27}
	p := parsePicture(t, mustDraw(t, "", matrix.New(in)))
	if p.count("59.3") != 2 || p.filled != 2+1 { // two cells, and no bar
		t.Errorf("%d filled shapes, texts %v", p.filled, p.texts)
	}
	if p.count("CPU") != 2 || p.count("from CPU") != 0 {
		t.Errorf("a symmetric matrix has directions: %v", p.texts)
	}
}

// A title that is wider than the cells, and the note below them, are whole inside the picture.
func TestHeatMapLongTitle(t *testing.T) {
	in := matrixtest.Input(pairOnly, "flow, polled, 128 x 8 bytes: median time one way")
	in.Values = map[matrix.Pair]float64{{From: 0, To: 1}: 111}
	p := parsePicture(t, mustDraw(t, "", matrix.New(in)))
	for _, text := range p.texts {
		if text.x < 0 {
			t.Errorf("%q begins at %v", text.text, text.x)
		}
	}
	if len(p.texts) < 6 {
		t.Errorf("texts %v", p.texts)
	}
}

func TestHeatMapContrast(t *testing.T) {
	in := matrixtest.Input(pairOnly, "single")
	in.Values = map[matrix.Pair]float64{{From: 0, To: 1}: 111, {From: 1, To: 0}: 999}
	p := parsePicture(t, mustDraw(t, "", matrix.New(in)))
	fills := map[[2]string]int{}
	for _, text := range p.texts {
		fills[[2]string{text.text, text.fill}]++
	}
	// Black is the default and not written.
	if fills[[2]string{"111", "#FFFFFF"}] != 1 || fills[[2]string{"999", ""}] != 1 {
		t.Errorf("texts %v: want 111 in white on the dark cell and 999 in black on the bright one", p.texts)
	}
}

func TestPalette(t *testing.T) {
	in := matrixtest.Input(pairOnly, "single")
	in.Values = map[matrix.Pair]float64{{From: 0, To: 1}: 10, {From: 1, To: 0}: 20}
	h := newHeatMap(matrix.New(in))
	for _, tt := range []struct {
		v    float64
		want int
	}{{10, 0}, {20, shades - 1}, {15, shades / 2}} {
		if got := h.shade(tt.v); got != tt.want {
			t.Errorf("shade(%v) = %d, want %d", tt.v, got, tt.want)
		}
	}
	previous := -1.0
	for s, c := range h.colors { // what rises in lightness reads in grey
		gray := float64(color.Gray16Model.Convert(c).(color.Gray16).Y)
		if gray < previous {
			t.Fatalf("shade %d is darker than the one before", s)
		}
		previous = gray
	}
	if len(h.colors) != shades || previous < 0xc000 {
		t.Errorf("%d shades, the last has lightness %v", len(h.colors), previous)
	}
}

func TestHeatMapPanels(t *testing.T) {
	one := matrix.New(matrixtest.Input(laptop, "single"))
	two := matrix.New(matrixtest.Input(pairOnly, "dual"))
	p := parsePicture(t, mustDraw(t, "both <& \x01 \xff", one, two))
	for _, text := range []string{"single (ns)", "dual (ns)", "both <&    "} {
		if p.count(text) != 1 {
			t.Errorf("%q is missing in %v", text, p.texts)
		}
	}
	if want := 12 + 2 + 1; p.filled != want {
		t.Errorf("%d filled shapes, want %d", p.filled, want)
	}
}

func TestSameBytes(t *testing.T) {
	draw := func() string { return mustDraw(t, "x", matrix.New(matrixtest.Input(xeonSNC, "single"))) }
	first := draw()
	for range 3 {
		if draw() != first {
			t.Fatal("two drawings of one matrix differ")
		}
	}
}

// Nothing is written of what is refused, and what the writer says comes back.
func TestHeatMapErrors(t *testing.T) {
	full := errors.New("disk full")
	if err := Curves(failing{full}, Figure{Title: "x", Maps: []*matrix.Matrix{matrix.New(matrixtest.Input(pairOnly, "x"))}}); !errors.Is(err, full) {
		t.Errorf("error %v, want the writer's", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
