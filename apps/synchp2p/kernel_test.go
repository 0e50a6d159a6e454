package synchp2p

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// literalRows is the formula as the seed writes it, point by point.
func literalRows(a []float64, stride, width int, edge []float64) {
	if width == 0 {
		return
	}
	rows := len(edge) - 1
	for i := 1; i <= rows; i++ {
		left, diag := edge[i], edge[i-1]
		for j := range width {
			up := a[(i-1)*stride+j]
			a[i*stride+j] = up + left - diag
			left, diag = a[i*stride+j], up
		}
	}
	for i := range edge {
		edge[i] = a[i*stride+width-1]
	}
}

// checkAgainstLiteral sweeps a block twice, by the kernel and by the formula, and compares the points. They are
// integers so small that every sum is exact, as in the grid; the memory around the block must not change.
func checkAgainstLiteral(t *testing.T, rows, width, gap int, seed uint64) {
	t.Helper()
	const lead = 3
	rng, stride := rand.New(rand.NewPCG(seed, 1)), width+gap
	want, wantEdge := make([]float64, lead+(rows+1)*stride+lead), make([]float64, rows+1)
	for _, v := range [][]float64{want, wantEdge} {
		for i := range v {
			v[i] = float64(rng.IntN(1<<40) - 1<<39)
		}
	}
	got, gotEdge, end := slices.Clone(want), slices.Clone(wantEdge), lead+rows*stride+width
	for range 2 {
		literalRows(want[lead:end:end], stride, width, wantEdge)
		sweepRows(got[lead:end:end], stride, width, gotEdge)
	}
	if !slices.Equal(got, want) || !slices.Equal(gotEdge, wantEdge) {
		t.Errorf("%dx%d, gap %d, seed %d: differs from the literal loop\ngot  %v, edge %v\nwant %v, edge %v",
			rows, width, gap, seed, got, gotEdge, want, wantEdge)
	}
}

func TestKernelEqualsLiteralLoop(t *testing.T) {
	for rows := range 14 {
		for width := range 14 {
			for gap := range 3 {
				checkAgainstLiteral(t, rows, width, gap, uint64(rows*100+width*10+gap))
			}
		}
	}
}

func TestKernelRefusesShortStrip(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("sweepRows wrote beyond its strip")
		}
	}()
	sweepRows(make([]float64, 14), 5, 5, make([]float64, 3))
}
