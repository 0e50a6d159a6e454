package c2c

// A Test is one of the suite's tests.
type Test string

// The tests. Those without a number of the seed come from the suite's later life.
const (
	Single    Test = "single"     // both ends read and write one element (seed, Test 1)
	Dual      Test = "dual"       // each end writes an element of its own (seed, Test 1.1)
	Array     Test = "array"      // both ends write one array; each reads all of it before it answers (seed, Test 2)
	DualArray Test = "dual-array" // Array with an array for each end
	Flow      Test = "flow"       // one end writes an array, the other answers with one element
	Blocked   Test = "blocked"    // Flow with a flag for the whole array, and a reader that checks every value
	Ring      Test = "ring"       // a bounded queue of blocks from one end to the other, which returns the credits
)

// Tests returns all tests in the order in which they are listed.
func Tests() []Test { return []Test{Single, Dual, Array, DualArray, Flow, Blocked, Ring} }

// HasLength reports whether the test moves arrays or blocks of a given length.
func (t Test) HasLength() bool { return t != Single && t != Dual }

// HasLayout reports whether the test's elements can share a line or be apart.
func (t Test) HasLayout() bool { return t == Dual }

// Replies reports whether every transfer is answered by one the other way, so that
// there is a latency. In a ring, transfers overlap.
func (t Test) Replies() bool { return t != Ring }

// A Form is how a test is carried out.
type Form string

// The forms. Polled is the hardware's latency, EDT the runtime's.
const (
	Polled     Form = "polled"     // two EDTs, each bound to a worker, poll a block that both hold in mode RW
	Goroutines Form = "goroutines" // the same loop in two pinned goroutines without the runtime

	// EDT: a chain of EDTs, alternately on the two workers, each of which makes the next
	// ready by satisfying its event. The graph is made beforehand.
	EDT    Form = "edt"
	Chain  Form = "edt-chain"  // EDT, but every EDT makes its successor and the event
	Local  Form = "edt-local"  // Chain on one worker: the runtime without a transfer
	Parked Form = "edt-parked" // Chain, but the receiver sleeps when its EDT becomes ready
)

// Forms returns all forms in the order in which they are listed.
func Forms() []Form { return []Form{Polled, Goroutines, EDT, Chain, Local, Parked} }

// Tasks reports whether the form passes a transfer on from EDT to EDT.
func (f Form) Tasks() bool { return f != Polled && f != Goroutines }

// Has reports whether a test exists in a form. A blocked read has no form of its own as EDTs: an event is a valid flag,
// so Flow is that test. Nor has a ring, whose ends wait for an index in memory.
func (f Form) Has(t Test) bool { return t != Blocked && t != Ring || !f.Tasks() }

// A Layout says where the two elements of [Dual] lie.
type Layout string

// The layouts. Some processors fetch lines in pairs, so apart is 128 bytes.
const (
	Same     Layout = "same"     // both on one cache line
	Separate Layout = "separate" // on lines of their own, 128 bytes apart
)

// Layouts returns both layouts.
func Layouts() []Layout { return []Layout{Same, Separate} }

// Widths returns the element widths in bytes.
func Widths() []int { return []int{1, 2, 4, 8} }
