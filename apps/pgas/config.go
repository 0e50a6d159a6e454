package pgas

import (
	"cmp"
	"fmt"

	"ocr/apps/shmem"
	"ocr/apps/trial"
)

// Form says how a test is written.
type Form string

const (
	Direct Form = "direct" // each PE is one EDT, which runs the test's loop on blocks that it holds in RW mode
	EDT    Form = "edt"    // every put, get, notification and step of a reduction is an EDT
)

// Sync says how partners synchronise, in the tests that do.
type Sync string

const (
	Pairwise Sync = "p2p"  // notify and wait between the two PEs of a pair
	Flag     Sync = "flag" // no synchronisation beside the data: the receiver polls the last word of the message
)

// Config is one test at one size. Call its other methods only if [Config.Validate] has accepted it. The test ignores
// parameters that it does not use.
type Config struct {
	Test string // name of a [Test]
	Form Form
	PEs  int // processing elements: PE i runs on worker i
	Sync Sync

	Bytes      int    // of a message; of the vector, in reductions; of the payload, in strided tests
	Stride     int    // distance of elements at the PE that does not call, in elements
	Seed       uint64 // used by the random tests
	Iterations int    // timed: N in the package comment
	NoVerify   bool   // leave out the checks: of synchronisation, and after the timed part

	// Done, when closed, ends all waits and loops of the direct form: the Done channel of the run's context, or nil.
	Done <-chan struct{} `json:"-"`
	// Fault is a fault that tests put into a run: its checks must find it.
	Fault Fault
}

// A Fault is a fault that the checks must find.
type Fault string

const (
	LostMessage Fault = "message"     // PE 0 does not write one message of the checks of synchronisation
	LostSync    Fault = "sync"        // the checks leave out the first synchronisation of an iteration
	LostSecond  Fault = "second sync" // the checks leave out the second synchronisation
	LostByte    Fault = "byte"        // the first byte that has arrived at the last PE changes after the timed part
	LostGuard   Fault = "guard"       // the byte before that of LostByte changes
)

// DefaultStrided is the default payload of the strided tests: 32768 elements.
const DefaultStrided = 128 << 10

// Defaults returns the parameters of a test: two PEs, direct form.
func Defaults(test string) Config {
	c := Config{
		Test: test, Form: Direct, PEs: 2, Sync: Pairwise, Bytes: 8, Stride: 1, Seed: 1, Iterations: 1000,
	}
	if Lookup(test).Strided {
		c.Bytes = DefaultStrided
	}
	return c
}

// partner returns the other PE of a PE's pair: half of the PEs away.
func (c Config) partner(pe int) int { return (pe + c.PEs/2) % c.PEs }

// isOrigin reports whether a PE is the first of its pair: the one that calls in one-way tests.
func (c Config) isOrigin(pe int) bool { return pe < c.partner(pe) }

// Bounds of a Config.
const (
	MaxBytes      = 1 << 30
	MaxStride     = 1 << 20
	MaxIterations = 1 << 40
	maxSegment    = 64 << 20
)

const appName = "pgas"

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run.
func (c Config) Validate() error {
	test := Lookup(c.Test)
	e := cmp.Or(
		trial.Refuse(test.Name == "", "tests", fmt.Sprintf("%q", c.Test), trial.Names(tests)),
		trial.OneOf("forms", c.Form, Direct, EDT),
		trial.Range("pes", c.PEs, 1, shmem.MaxPEs),
		trial.Because("PEs work in pairs", trial.Refuse(test.Pairs && c.PEs%2 != 0, "pes", c.PEs, "even numbers")),
		trial.Range("sizes", c.Bytes, 1, MaxBytes),
		trial.Because(fmt.Sprintf("elements have %d bytes", shmem.ElementBytes),
			trial.Refuse((test.Strided || test.Kind == Reduction) && c.Bytes%shmem.ElementBytes != 0,
				"sizes", c.Bytes, fmt.Sprintf("multiples of %d", shmem.ElementBytes))),
		trial.Range("iters", c.Iterations, 1, MaxIterations),
	)
	if e == nil && test.Strided {
		e = trial.Range("strides", c.Stride, 1, MaxStride)
	}
	if e == nil && len(test.Syncs) > 0 {
		e = cmp.Or(
			trial.OneOf("sync", c.Sync, test.Syncs...),
			trial.Because("an EDT does not poll: the edt form has no flag in the data",
				trial.Refuse(c.Sync == Flag && c.Form == EDT, "sync", c.Sync, string(Pairwise))),
			trial.Because("the flag is the message's last word of 8 bytes",
				trial.Refuse(c.Sync == Flag && c.Bytes%8 != 0, "sizes", c.Bytes, "multiples of 8")),
		)
	}
	if e == nil {
		need := newPlan(c).bytes
		e = trial.Because(fmt.Sprintf("the test needs a segment of %d bytes and has %d", need, maxSegment),
			trial.Refuse(need > maxSegment, "sizes", c.Bytes, "less"))
	}
	return trial.First(appName, e)
}
