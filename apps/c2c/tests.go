package c2c

// A Test is one of the suite's tests. Seed names those of the seed; the others come
// from the suite's later life.
type Test string

const (
	// Single: both ends read and write one element (seed, Test 1).
	Single Test = "single"
	// Dual: each end writes an element of its own (seed, Test 1.1).
	Dual Test = "dual"
	// Array: both ends write one array, and read it to the last element before
	// they answer (seed, Test 2).
	Array Test = "array"
	// DualArray is Array with an array for each end.
	DualArray Test = "dual-array"
	// Flow: one end writes an array, the other answers with one element.
	Flow Test = "flow"
	// Blocked is Flow with a flag that says that the array is there, and a reader
	// that checks every value.
	Blocked Test = "blocked"
	// Ring: a bounded queue of blocks from one end to the other, which returns
	// the credits.
	Ring Test = "ring"
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

const (
	// Polled: two EDTs, each bound to a worker, poll a block that both hold in
	// mode RW. This is the hardware's latency.
	Polled Form = "polled"
	// Goroutines is the same loop in two pinned goroutines without the runtime.
	Goroutines Form = "goroutines"
	// EDT: a chain of EDTs, alternately on the two workers, each of which makes
	// the next ready by satisfying its event. The graph is made beforehand. This
	// is the runtime's latency.
	EDT Form = "edt"
	// Chain is EDT where every EDT makes its successor and the event.
	Chain Form = "edt-chain"
	// Local is Chain on one worker: the runtime without a transfer.
	Local Form = "edt-local"
	// Parked is Chain where the receiver sleeps when its EDT becomes ready.
	Parked Form = "edt-parked"
)

// Forms returns all forms in the order in which they are listed.
func Forms() []Form { return []Form{Polled, Goroutines, EDT, Chain, Local, Parked} }

// Tasks reports whether the form passes a transfer on from EDT to EDT.
func (f Form) Tasks() bool { return f != Polled && f != Goroutines }

// Has reports whether a test exists in a form. A blocked read has no form of its
// own as EDTs: an event is a valid flag, so Flow is that test. A ring unfolds as it
// runs, and a receiver of one that sleeps after every block is Flow again.
func (f Form) Has(t Test) bool {
	switch t {
	case Blocked:
		return !f.Tasks()
	case Ring:
		return f != EDT && f != Parked
	}
	return true
}

// A Layout says where the two elements of [Dual] lie.
type Layout string

const (
	// Same puts both on one cache line.
	Same Layout = "same"
	// Separate puts them on lines of their own, 128 bytes apart, because some
	// processors fetch lines in pairs.
	Separate Layout = "separate"
)

// Layouts returns both layouts.
func Layouts() []Layout { return []Layout{Same, Separate} }

// Widths returns the element widths in bytes.
func Widths() []int { return []int{1, 2, 4, 8} }
