package edttest

import "fmt"

// An Option changes what [Explore] and [Search] do.
type Option func(*config)

// config is the result of the options.
type config struct {
	workers, seeds, budget, steps int

	pruned  bool
	noLeaks bool
	replay  string
}

func newConfig(opts []Option) *config {
	c := &config{workers: 2, seeds: 100, budget: 2000, steps: 100_000}
	for _, o := range opts {
		o(c)
	}
	return c
}

// Workers sets the number of simulated workers, 2 by default.
func Workers(n int) Option {
	atLeast("Workers", n, 1)
	return func(c *config) { c.workers = n }
}

// Seeds sets the number of seeds, 100 by default. Each seed is run as random:SEED and, with several workers, as
// overlap:SEED too.
func Seeds(n int) Option {
	atLeast("Seeds", n, 0)
	return func(c *config) { c.seeds = n }
}

// MaxSchedules sets the largest number of schedules that are run, 2000 by default.
func MaxSchedules(n int) Option {
	atLeast("MaxSchedules", n, 1)
	return func(c *config) { c.budget = n }
}

// MaxSteps sets the largest number of EDTs in a schedule, 100000 by default. A program that polls, with EDTs that
// create themselves again, can run for ever under an unfair schedule; such schedules are cut off and counted apart.
// fifo is fair: under it the program must end.
func MaxSteps(n int) Option {
	atLeast("MaxSteps", n, 1)
	return func(c *config) { c.steps = n }
}

// Pruned searches all orders of the program's EDTs. Of orders that differ only in the order of independent EDTs it runs
// one; EDTs are independent if they have no event, EDT or block in common, except blocks that both only read, and slots
// and latches where it does not matter which EDT comes last. If MaxSchedules suffices, the report says that every order
// was covered.
//
// The search sees what the program does by events, dependences and blocks. It does not see what EDTs share by other
// means: Go variables, and the results of Exists and Worker; a program that relies on these needs the other searches.
// EDTs do not overlap, those without an affinity go to the workers in turn, and those that wait for a block acquire it
// first come, first served.
func Pruned() Option { return func(c *config) { c.pruned = true } }

// NoLeaks makes it a failure if objects are left at the end of a run.
func NoLeaks() Option { return func(c *config) { c.noLeaks = true } }

// Replay runs one schedule, the text that a failure has printed or any other text of a [Schedule]. Before it, fifo
// runs, to compare with. A schedule that does not fit the program fails.
func Replay(schedule string) Option { return func(c *config) { c.replay = schedule } }

func atLeast(option string, n, least int) {
	if n < least {
		panic(fmt.Sprintf("edttest: %s(%d): must be at least %d", option, n, least))
	}
}
