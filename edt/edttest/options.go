package edttest

import "fmt"

// An Option changes what [Explore] and [Search] do.
type Option func(*config)

// config is what the options make up.
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

// Workers sets the number of pretended workers, 2 by default.
func Workers(n int) Option {
	atLeast("Workers", n, 1)
	return func(c *config) { c.workers = n }
}

// Seeds sets the number of random schedules, 100 by default: each seed is run as
// random:SEED, and, if EDTs may overlap, as overlap:SEED too.
func Seeds(n int) Option {
	atLeast("Seeds", n, 0)
	return func(c *config) { c.seeds = n }
}

// MaxSchedules bounds the number of schedules that are run, 2000 by default.
func MaxSchedules(n int) Option {
	atLeast("MaxSchedules", n, 1)
	return func(c *config) { c.budget = n }
}

// MaxSteps bounds the EDTs of one schedule, 100000 by default. A program that polls,
// with EDTs that create themselves anew, may never end under an unfair schedule: those
// are cut off and counted apart. Oldest first is fair, and must end.
func MaxSteps(n int) Option {
	atLeast("MaxSteps", n, 1)
	return func(c *config) { c.steps = n }
}

// Pruned searches through all orders of the program's EDTs, of which it runs only one of those that differ by the order
// of EDTs that are independent: that have no event, EDT or block in common but for reading. It
// then tells, if MaxSchedules allows it, that every order was covered.
//
// It sees what the program does through events, dependences and blocks. What EDTs share otherwise it takes for nothing:
// variables of Go, and the results of Exists and Worker; a program that relies on those needs the other searches. EDTs
// do not overlap, which worker runs them does not vary, and those that wait for a block get it first come first served.
func Pruned() Option { return func(c *config) { c.pruned = true } }

// NoLeaks makes objects that are left at the end of a run a failure.
func NoLeaks() Option { return func(c *config) { c.noLeaks = true } }

// Replay runs one schedule only: what a failure has printed, or any other that
// [ParseSchedule] knows. A schedule that does not fit the program is a failure.
func Replay(schedule string) Option { return func(c *config) { c.replay = schedule } }

func atLeast(option string, n, least int) {
	if n < least {
		panic(fmt.Sprintf("edttest: %s(%d): must be at least %d", option, n, least))
	}
}
