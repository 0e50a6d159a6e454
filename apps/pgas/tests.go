package pgas

import "slices"

// Uses says which parameters of a Config apply to a test, beside those of all tests.
type Uses struct {
	Pairs  bool   // an even number of PEs
	Syncs  []Sync // the values of Sync; none if it does not apply
	Stride bool
	Random bool // Seed
}

// Kind says how a test's figures read.
type Kind string

const (
	Latency   Kind = "latency"   // time of an iteration; if RoundTrip is set, half of it
	Bandwidth Kind = "bandwidth" // bytes moved by time
	Reduction Kind = "reduction" // time of a reduction
)

// Test describes one test of the suite.
type Test struct {
	Name string // as in result names: "putget"
	Kind Kind
	// RoundTrip: an iteration goes there and back, so half of it is a one-way time.
	RoundTrip bool
	// Everyone: all PEs call, and time (bidirectional and random tests, reductions). Else only the origins do.
	Everyone bool
	Uses     Uses
}

// What several tests use.
var (
	pairs   = Uses{Pairs: true}
	paired  = Uses{Pairs: true, Syncs: []Sync{Pairwise}}
	flagged = Uses{Pairs: true, Syncs: []Sync{Pairwise, Flag}}
	strides = Uses{Pairs: true, Stride: true}
	random  = Uses{Random: true}
)

var tests = []Test{
	{Name: "putget", Kind: Latency, RoundTrip: true, Uses: pairs},
	{Name: "putput", Kind: Latency, RoundTrip: true, Everyone: true, Uses: flagged},
	{Name: "getget", Kind: Latency, RoundTrip: true, Everyone: true, Uses: paired},

	{Name: "putbw", Kind: Bandwidth, Uses: pairs},
	{Name: "getbw", Kind: Bandwidth, Uses: pairs},
	{Name: "putbibw", Kind: Bandwidth, Everyone: true, Uses: pairs},
	{Name: "getbibw", Kind: Bandwidth, Everyone: true, Uses: pairs},

	{Name: "stridedput", Kind: Bandwidth, Uses: strides},
	{Name: "stridedget", Kind: Bandwidth, Uses: strides},

	{Name: "randomput", Kind: Bandwidth, Everyone: true, Uses: random},
	{Name: "randomget", Kind: Bandwidth, Everyone: true, Uses: random},

	{Name: "reduce", Kind: Reduction, Everyone: true},
	{Name: "reduceinplace", Kind: Reduction, Everyone: true},
}

// Sizes returns the original suite's values of Bytes.
func (t Test) Sizes() []int {
	switch {
	case t.Uses.Stride:
		return []int{StridedElements * ElementBytes}
	case t.Kind == Latency:
		return []int{4, 8}
	}
	return doubling(4, 4<<20)
}

// Strides returns the original suite's values of Stride, of strided tests.
func (t Test) Strides() []int { return doubling(1, 32) }

// String returns the test's name.
func (t Test) String() string { return t.Name }

// Tests returns every test, in the order in which a run of the suite takes them.
func Tests() []Test { return slices.Clone(tests) }

// TestNames returns their names.
func TestNames() []string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	return names
}

// Lookup returns the test of a name.
func Lookup(name string) (Test, bool) {
	for _, t := range tests {
		if t.Name == name {
			return t, true
		}
	}
	return Test{}, false
}

// doubling lists the powers of two times low, up to high.
func doubling(low, high int) []int {
	var list []int
	for v := low; v <= high; v *= 2 {
		list = append(list, v)
	}
	return list
}
