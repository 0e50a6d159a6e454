package pgas

import (
	"encoding/json"
	"fmt"
	"time"

	"ocr/apps/shmem"
)

// Form says how a test is written.
type Form string

const (
	// Direct runs the loop of a test in one EDT per PE, on blocks that it holds
	// in RW mode.
	Direct Form = "direct"
	// EDT makes every put, get, notification and reduction step an EDT or an
	// event.
	EDT Form = "edt"
)

// Sync says how partners synchronise, in the tests that do.
type Sync string

const (
	// Barrier: all PEs, after each half of an iteration.
	Barrier Sync = "barrier"
	// Pairwise: notify and wait between the two PEs of a pair.
	Pairwise Sync = "p2p"
	// Flag: no synchronisation beside the data: the receiver polls the last
	// word of the message itself.
	Flag Sync = "flag"
)

// Completion says what a bandwidth test waits for within its timed part.
type Completion string

const (
	// Remote: at the end of each window the transfers are complete at the
	// target (quiet).
	Remote Completion = "remote"
	// Local: at the end of each window the source may be used again; one quiet
	// ends the loop.
	Local Completion = "local"
)

// Side says whose elements lie a stride apart, in the strided tests.
type Side string

const (
	// AtTarget: the side of the PE that does not call.
	AtTarget Side = "target"
	// AtOrigin: the side of the PE that calls.
	AtOrigin Side = "origin"
	// AtBoth sides.
	AtBoth Side = "both"
)

// Config is one test at one size. Defaults returns the suite's values for a test;
// [Config.Validate] must accept a Config before anything else is called on it.
// Parameters that do not apply to the test ([Test.Uses]) are not looked at.
type Config struct {
	Test string // name of a [Test]
	Form Form
	PEs  int // processing elements: PE i runs on worker i; a run needs at least so many workers

	// PartnerOffset is Q: PE i pairs with i+Q if i mod 2Q < Q, else with
	// i-Q. 0 is the suite's default, (i+N/2) mod N.
	PartnerOffset int

	Sync       Sync
	Completion Completion
	Window     int  // transfers between two completions
	Stream     bool // rotate over more than twice L2Bytes instead of one hot buffer
	L2Bytes    int  // size of a core's second-level cache

	Bytes   int  // of a message; of the vector, in reductions; of the payload, in strided tests
	Stride  int  // distance of elements, in elements
	Strided Side // which side has the stride

	Segment int    // bytes of a PE's segment that a test may use
	Seed    uint64 // of the random tests
	Self    bool   // random tests may draw the PE itself as target

	// Iterations is N. 0: as many as take about half of MaxTime, measured on
	// PE 0 and the same for all PEs.
	Iterations int
	// MaxTime bounds the timed part, also if Iterations is given: then N is
	// cut to what a calibration says that fits. 0 is no bound, and needs Iterations.
	MaxTime time.Duration

	// NoVerify leaves the checks after the timed part out.
	NoVerify bool

	// Wait says how PEs wait in the direct form.
	Wait shmem.Waiter `json:"-"`
	// Done, when closed, ends all waits and loops of the direct form: the
	// Done channel of the context that the run gets. It may be nil.
	Done <-chan struct{} `json:"-"`

	// Sabotage, for tests only, is called with all segments before the verification. It may
	// change them.
	Sabotage func(segments [][]byte) `json:"-"`

	transport func(shmem.Site) shmem.Transport // for tests: of the direct form

	omitPut  int   // for tests: this PE and one; it leaves a message of the checks out
	omitSync uint8 // for tests: bit 0 leaves each first synchronisation of the checks out, bit 1 each second
}

// A message is a Config on its way to the PEs, which may be on other ranks.
type message struct {
	Config
	OmitPut  int
	OmitSync uint8
}

func (c Config) told() []byte {
	text, err := json.Marshal(message{c, c.omitPut, c.omitSync})
	if err != nil {
		panic(err)
	}
	return text
}

// planFor returns the plan of a Config that was told.
func planFor(text []byte) *plan {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		panic(err)
	}
	m.omitPut, m.omitSync = m.OmitPut, m.OmitSync
	return newPlan(m.Config)
}

// Defaults of [Config], the suite's if it has them.
const (
	DefaultBytes    = 4
	DefaultSegment  = 64 << 20
	DefaultL2Bytes  = 2 << 20
	DefaultMaxTime  = time.Second
	DefaultSeed     = 1
	ElementBytes    = 4     // of reductions and strided tests: an int32
	StridedElements = 32768 // payload of the strided tests, in elements
)

// Defaults returns the parameters of a test: two PEs, direct form, the first of
// the test's default sizes.
func Defaults(test string) Config {
	c := Config{
		Test: test, Form: Direct, PEs: 2, Sync: Barrier, Completion: Remote, Window: 1,
		L2Bytes: DefaultL2Bytes, Bytes: DefaultBytes, Stride: 1, Strided: AtTarget, Segment: DefaultSegment, Seed: DefaultSeed, MaxTime: DefaultMaxTime,
	}
	if t, ok := Lookup(test); ok {
		c.Bytes = t.Sizes()[0]
	}
	return c
}

// Partner returns the PE that a PE is paired with.
func (c Config) Partner(pe int) int {
	q := c.PartnerOffset
	switch {
	case q == 0:
		return (pe + c.PEs/2) % c.PEs
	case pe%(2*q) < q:
		return pe + q
	}
	return pe - q
}

// Origin reports whether a PE is the first of its pair: the one that calls in
// one-way tests.
func (c Config) Origin(pe int) bool { return pe < c.Partner(pe) }

// Notes tells what readers of a Config's figures must know. cpus are the processors of
// the PEs, -1 if not known.
func (c Config) Notes(cpus []int) []string {
	var notes []string
	test, _ := Lookup(c.Test)
	if test.Uses.Random && c.PEs == 2 && !c.Self {
		notes = append(notes, "random tests with 2 PEs: each PE has one target, the other, so only the offset is random")
	}
	for pe := range cpus {
		if test.Uses.Pairs && c.Origin(pe) && cpus[pe] >= 0 && cpus[pe] == cpus[c.Partner(pe)] {
			return append(notes, fmt.Sprintf("both PEs of a pair share a processor, as PEs %d and %d on processor %d: they take turns", pe, c.Partner(pe), cpus[pe]))
		}
	}
	return notes
}
