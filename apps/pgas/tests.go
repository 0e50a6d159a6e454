package pgas

import "slices"

// Uses says which parameters of a Config a test looks at, beside those that every
// test does.
type Uses struct {
	Pairs      bool   // PartnerOffset; an even number of PEs
	Syncs      []Sync // the values of Sync; none if it does not apply
	Bytes      bool   // false: the test moves nothing
	Window     bool   // Window and Completion
	Stream     bool
	Stride     bool // Stride, Strided and ElementBytes
	Random     bool // Seed and Self
	Type       bool // Type
	DirectOnly bool // a baseline of the machine: there is no edt form
}

// Kind says how a test's figures read.
type Kind string

const (
	// Latency: time of an iteration, and if RoundTrip is set half of it.
	Latency Kind = "latency"
	// Bandwidth: bytes moved by time.
	Bandwidth Kind = "bandwidth"
	// Reduction: time of a reduction.
	Reduction Kind = "reduction"
)

// Test describes one test of the suite.
type Test struct {
	Name  string // as in result names: "putget"
	Title string // for people
	Kind  Kind
	// RoundTrip says that an iteration goes there and back, so that half of it
	// is a one-way time.
	RoundTrip bool
	// Everyone says that all PEs call, and time: bidirectional tests,
	// reductions, synchronisation. Else only the origins do.
	Everyone bool
	Uses     Uses
	Sizes    []int // default values of Bytes
	Strides  []int // default values of Stride, in strided tests
}

var (
	latencySizes   = []int{4, 8}
	bandwidthSizes = doubling(4, 4<<20)
	stridedSizes   = []int{StridedElements * DefaultElementBytes}
	suiteStrides   = doubling(1, 32)
	putSyncs       = []Sync{Barrier, Pairwise, Flag}
)

var tests = []Test{
	{Name: "putget", Title: "Put-Get Latency", Kind: Latency, RoundTrip: true, Uses: Uses{Pairs: true, Bytes: true}, Sizes: latencySizes},
	{Name: "putput", Title: "Put-Put Latency", Kind: Latency, RoundTrip: true, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Syncs: putSyncs}, Sizes: latencySizes},
	{Name: "getget", Title: "Get-Get Latency", Kind: Latency, RoundTrip: true, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Syncs: putSyncs}, Sizes: latencySizes},
	{Name: "put", Title: "Put Latency", Kind: Latency, Uses: Uses{Pairs: true, Bytes: true}, Sizes: latencySizes},
	{Name: "get", Title: "Get Latency", Kind: Latency, Uses: Uses{Pairs: true, Bytes: true}, Sizes: latencySizes},
	{Name: "sync", Title: "Synchronisation Latency", Kind: Latency, Everyone: true,
		Uses: Uses{Pairs: true, Syncs: []Sync{Barrier, Pairwise}}, Sizes: []int{0}},

	{Name: "putbw", Title: "Put Bandwidth", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, Window: true, Stream: true}, Sizes: bandwidthSizes},
	{Name: "getbw", Title: "Get Bandwidth", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, Stream: true}, Sizes: bandwidthSizes},
	{Name: "putbibw", Title: "Put Bidirectional Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Window: true, Stream: true}, Sizes: bandwidthSizes},
	{Name: "getbibw", Title: "Get Bidirectional Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Stream: true}, Sizes: bandwidthSizes},

	{Name: "stridedput", Title: "Strided Put Bandwidth", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},
	{Name: "stridedget", Title: "Strided Get Bandwidth", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},
	{Name: "stridedputbi", Title: "Strided Put Bidirectional Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},
	{Name: "stridedgetbi", Title: "Strided Get Bidirectional Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Pairs: true, Bytes: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},

	{Name: "randomput", Title: "Random Put Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Bytes: true, Random: true}, Sizes: bandwidthSizes},
	{Name: "randomget", Title: "Random Get Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Bytes: true, Random: true}, Sizes: bandwidthSizes},
	{Name: "randomstridedput", Title: "Random Strided Put Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Bytes: true, Random: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},
	{Name: "randomstridedget", Title: "Random Strided Get Bandwidth", Kind: Bandwidth, Everyone: true,
		Uses: Uses{Bytes: true, Random: true, Stride: true}, Sizes: stridedSizes, Strides: suiteStrides},

	{Name: "reduce", Title: "Reduction, Separate Target", Kind: Reduction, Everyone: true,
		Uses: Uses{Bytes: true, Type: true}, Sizes: bandwidthSizes},
	{Name: "reduceinplace", Title: "Reduction, Same Source Buffer", Kind: Reduction, Everyone: true,
		Uses: Uses{Bytes: true, Type: true}, Sizes: bandwidthSizes},

	{Name: "copy", Title: "Go copy, Same Buffers, One Core", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, Stream: true, DirectOnly: true}, Sizes: bandwidthSizes},
	{Name: "copyfresh", Title: "Go copy, Freshly Written by the Partner", Kind: Bandwidth,
		Uses: Uses{Pairs: true, Bytes: true, DirectOnly: true}, Sizes: bandwidthSizes},
	{Name: "line", Title: "Store and Load of a Shared Line", Kind: Latency, RoundTrip: true, Everyone: true,
		Uses: Uses{Pairs: true, DirectOnly: true}, Sizes: []int{0}},
}

// Tests returns every test, in the order in which a run of the suite takes them;
// the last three are baselines.
func Tests() []Test { return slices.Clone(tests) }

// Lookup returns the test of a name.
func Lookup(name string) (Test, bool) {
	i := slices.IndexFunc(tests, func(t Test) bool { return t.Name == name })
	if i < 0 {
		return Test{}, false
	}
	return tests[i], true
}

// OriginalIterations is how often the original suite repeats a test at one size: its MPI
// and CAF versions bandwidth tests 1000 times.
func (t Test) OriginalIterations() int {
	if t.Kind == Reduction {
		return 100
	}
	return 10000
}

// doubling lists the powers of two times low, up to high.
func doubling(low, high int) []int {
	var list []int
	for v := low; v <= high; v *= 2 {
		list = append(list, v)
	}
	return list
}
