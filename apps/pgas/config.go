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
	Direct Form = "direct" // one EDT per PE runs the loop of a test, on blocks that it holds in RW mode
	EDT    Form = "edt"    // every put, get, notification and reduction step is an EDT or an event
)

// Sync says how partners synchronise, in the tests that do.
type Sync string

const (
	Pairwise Sync = "p2p"  // notify and wait between the two PEs of a pair
	Flag     Sync = "flag" // none beside the data: the receiver polls the last word of the message
)

// Config is one test at one size. Defaults returns the suite's values for a test;
// [Config.Validate] must accept a Config before anything else is called on it.
// Parameters that do not apply to the test ([Test.Uses]) are not looked at.
type Config struct {
	Test string // name of a [Test]
	Form Form
	PEs  int // processing elements: PE i runs on worker i of a run that has at least PEs workers
	Sync Sync

	Bytes  int // of a message; of the vector, in reductions; of the payload, in strided tests
	Stride int // distance of elements at the PE that does not call, in elements

	Segment int    // bytes of a PE's segment that a test may use
	Seed    uint64 // of the random tests

	// Iterations is N. 0: PE 0 calibrates how many take about half of MaxTime, for all PEs.
	Iterations int
	// MaxTime bounds the timed part. If Iterations is given, N is cut to what fits by a calibration. 0 is no bound, and
	// needs Iterations.
	MaxTime time.Duration

	NoVerify bool // leave out the checks: those of synchronisation, and those after the timed part

	Wait shmem.Waiter `json:"-"` // how PEs wait in the direct form
	// Done, when closed, ends all waits and loops of the direct form. It is the Done channel of the run's context, or
	// nil.
	Done <-chan struct{} `json:"-"`

	// Sabotage, for tests only, is called with all segments before the verification. It may change them.
	Sabotage func(segments [][]byte) `json:"-"`

	transport func(shmem.Site) shmem.Transport // for tests: of the direct form

	omitPut  int   // for tests: PE omitPut-1 leaves a message of the checks out
	omitSync uint8 // for tests: bit 0 leaves each first synchronisation of the checks out, bit 1 each second
}

// A message is a Config on its way to the PEs, which may be on other ranks.
type message struct {
	Config
	OmitPut  int
	OmitSync uint8
}

// marshal returns the Config as the PEs read it.
func (c Config) marshal() []byte {
	text, err := json.Marshal(message{c, c.omitPut, c.omitSync})
	if err != nil {
		panic(err)
	}
	return text
}

// planFor returns the plan of a Config that [Config.marshal] has written.
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
	DefaultMaxTime  = time.Second
	DefaultSeed     = 1
	ElementBytes    = 4     // of reductions and strided tests: an int32
	StridedElements = 32768 // payload of the strided tests, in elements
)

// Defaults returns the parameters of a test: two PEs, direct form, the first of the test's default sizes.
func Defaults(test string) Config {
	c := Config{
		Test: test, Form: Direct, PEs: 2, Sync: Pairwise, Bytes: DefaultBytes, Stride: 1, Segment: DefaultSegment,
		Seed: DefaultSeed, MaxTime: DefaultMaxTime,
	}
	if t, ok := Lookup(test); ok {
		c.Bytes = t.Sizes()[0]
	}
	return c
}

// Partner returns the PE that a PE is paired with: half of the PEs away.
func (c Config) Partner(pe int) int { return (pe + c.PEs/2) % c.PEs }

// Origin reports whether a PE is the first of its pair: the one that calls in one-way tests.
func (c Config) Origin(pe int) bool { return pe < c.Partner(pe) }

// Notes returns what readers of a Config's figures must know. cpus are the processors of the PEs, -1 if not known.
func (c Config) Notes(cpus []int) []string {
	var notes []string
	test, _ := Lookup(c.Test)
	if test.Uses.Random && c.PEs == 2 {
		notes = append(notes,
			"random tests with 2 PEs: each PE has one target, the other, so only the offset is random")
	}
	for pe := range cpus {
		if test.Uses.Pairs && c.Origin(pe) && cpus[pe] >= 0 && cpus[pe] == cpus[c.Partner(pe)] {
			return append(notes, fmt.Sprintf(
				"both PEs of a pair share a processor, as PEs %d and %d on processor %d: they take turns",
				pe, c.Partner(pe), cpus[pe]))
		}
	}
	return notes
}
