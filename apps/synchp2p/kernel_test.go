package synchp2p

import (
	"math"
	"math/rand/v2"
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

// guard surrounds a block's memory; the kernel must leave it alone.
const guard = -12345.5

type block struct {
	memory, edge        []float64
	lead, stride, width int
}

// newBlock fills a block of rows by width with integers small enough for every
// sum along it to be exact, as the grid's are.
func newBlock(rng *rand.Rand, rows, width, gap int) *block {
	b := &block{lead: 3, stride: width + gap, width: width, edge: make([]float64, rows+1)}
	b.memory = make([]float64, b.lead+(rows+1)*b.stride+b.lead)
	for i := range b.memory {
		b.memory[i] = guard
	}
	for i := range rows + 1 {
		b.edge[i] = float64(rng.IntN(1<<40) - 1<<39)
		for j := range width {
			b.memory[b.lead+i*b.stride+j] = float64(rng.IntN(1<<40) - 1<<39)
		}
	}
	return b
}

func (b *block) clone() *block {
	d := *b
	d.memory = append([]float64(nil), b.memory...)
	d.edge = append([]float64(nil), b.edge...)
	return &d
}

func (b *block) sweep(kernel func([]float64, int, int, []float64)) {
	end := b.lead + (len(b.edge)-1)*b.stride + b.width
	kernel(b.memory[b.lead:end:end], b.stride, b.width, b.edge)
}

func sameBits(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func checkAgainstLiteral(t interface{ Errorf(string, ...any) }, rows, width, gap int, seed uint64) {
	want := newBlock(rand.New(rand.NewPCG(seed, 1)), rows, width, gap)
	got := want.clone()
	for range 2 {
		want.sweep(literalRows)
		got.sweep(sweepRows)
	}
	if !sameBits(got.memory, want.memory) {
		t.Errorf("%dx%d, gap %d, seed %d: points differ from the literal loop\ngot  %v\nwant %v",
			rows, width, gap, seed, got.memory, want.memory)
	}
	if !sameBits(got.edge, want.edge) {
		t.Errorf("%dx%d, gap %d, seed %d: edge = %v, want %v", rows, width, gap, seed, got.edge, want.edge)
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

func FuzzKernel(f *testing.F) {
	f.Add(uint8(3), uint8(5), uint8(0), uint64(1))
	f.Add(uint8(9), uint8(1), uint8(2), uint64(2))
	f.Fuzz(func(t *testing.T, rows, width, gap uint8, seed uint64) {
		checkAgainstLiteral(t, int(rows), int(width), int(gap), seed)
	})
}

func TestKernelRefusesShortStrip(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("sweepRows wrote beyond its strip")
		}
	}()
	sweepRows(make([]float64, 14), 5, 5, make([]float64, 3))
}
