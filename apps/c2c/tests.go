package c2c

// A Test is one of the suite's tests.
type Test string

// The tests.
const (
	Single Test = "single" // both ends read and write one element (seed, Test 1)
	Dual   Test = "dual"   // each end writes an element of its own, on a line of its own (seed, Test 1.1)
	Array  Test = "array"  // both ends write one array; each reads all of it before it answers (seed, Test 2)
)

// Tests returns all tests in the order in which they are listed.
func Tests() []Test { return []Test{Single, Dual, Array} }

// HasLength reports whether the test moves arrays of a given length.
func (t Test) HasLength() bool { return t == Array }

// A Form is a way to run a test.
type Form string

// The forms.
const (
	Polled     Form = "polled"     // two EDTs, each bound to a worker, poll a block that both hold in mode RW
	Goroutines Form = "goroutines" // the same loop in two pinned goroutines without the runtime

	// EDT: a chain of EDTs, alternately on the two workers; each EDT satisfies the event for which the next one waits.
	// All are created beforehand.
	EDT Form = "edt"
)

// Forms returns all forms in the order in which they are listed.
func Forms() []Form { return []Form{Polled, Goroutines, EDT} }

// Widths returns the element widths in bytes.
func Widths() []int { return []int{1, 2, 4, 8} }
