package pgas

import "slices"

// Kind says what a test's figures are.
type Kind string

const (
	Latency   Kind = "latency"   // time of an iteration, there and back
	Bandwidth Kind = "bandwidth" // bytes moved a second
	Reduction Kind = "reduction" // time of a reduction
)

// Test describes one test of the suite.
type Test struct {
	Name     string // as in result names: "putget"
	Kind     Kind
	Gets     bool // its transfers are gets, not puts
	Everyone bool // all PEs make calls and time them; if false, only the origins of pairs

	// The parameters of a Config that the test uses:
	Pairs   bool   // an even number of PEs
	Syncs   []Sync // the values of Sync
	Strided bool   // Stride
	Random  bool   // Seed
}

var tests = []Test{
	{Name: "putget", Kind: Latency, Pairs: true},
	{Name: "putput", Kind: Latency, Everyone: true, Pairs: true, Syncs: []Sync{Pairwise, Flag}},
	{Name: "getget", Kind: Latency, Gets: true, Everyone: true, Pairs: true, Syncs: []Sync{Pairwise}},

	{Name: "putbw", Kind: Bandwidth, Pairs: true},
	{Name: "getbw", Kind: Bandwidth, Gets: true, Pairs: true},
	{Name: "putbibw", Kind: Bandwidth, Everyone: true, Pairs: true},
	{Name: "getbibw", Kind: Bandwidth, Gets: true, Everyone: true, Pairs: true},

	{Name: "stridedput", Kind: Bandwidth, Pairs: true, Strided: true},
	{Name: "stridedget", Kind: Bandwidth, Gets: true, Pairs: true, Strided: true},

	{Name: "randomput", Kind: Bandwidth, Everyone: true, Random: true},
	{Name: "randomget", Kind: Bandwidth, Gets: true, Everyone: true, Random: true},

	{Name: "reduce", Kind: Reduction, Everyone: true},
	{Name: "reduceinplace", Kind: Reduction, Everyone: true},
}

// String returns the test's name.
func (t Test) String() string { return t.Name }

// Tests returns every test, in the order in which the suite runs them.
func Tests() []Test { return slices.Clone(tests) }

// TestNames returns the names of all tests.
func TestNames() []string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	return names
}

// Lookup returns the test of a name, or the zero Test.
func Lookup(name string) (t Test) {
	if i := slices.IndexFunc(tests, func(t Test) bool { return t.Name == name }); i >= 0 {
		t = tests[i]
	}
	return t
}
