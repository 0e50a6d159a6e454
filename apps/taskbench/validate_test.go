package taskbench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

func TestDefaultsAreValid(t *testing.T) {
	c := Defaults()
	testrun.OK(t, c.Validate(0))
	variants(func(g Graph) {
		c := one(g)
		testrun.OK(t, c.Validate(1<<30), "%v", &g)
	})
}

// TestValidate: the refusals that no line of cmd/ocrbench/testdata/usage has.
func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		change        func(*Config, *Graph)
		flag, message string
	}{
		{func(c *Config, g *Graph) { g.Type = 77 }, "type", "-type Pattern(77): must be trivial, no_comm"},
		{func(c *Config, g *Graph) { g.Type, g.Radix = Nearest, -1 }, "radix", "-radix -1: must be 0..4"},
		{func(c *Config, g *Graph) { g.Type, g.Radix, g.Period = Spread, 0, 3 }, "radix",
			"-radix 0: type spread needs a dependence: must be 1..4"},
		{func(c *Config, g *Graph) { g.Type, g.Period = RandomNearest, -1 }, "period", "-period -1"},
		{func(c *Config, g *Graph) { g.Scratch = -1 }, "scratch", "-scratch -1: must be 0.."},
		{func(c *Config, g *Graph) { g.Scratch = 9 }, "scratch", "multiples of 8"},
		{func(c *Config, g *Graph) { g.Fraction = 1.5 }, "fraction", "-fraction 1.5: must be 0..1"},
		{func(c *Config, g *Graph) { g.Fraction = math.NaN() }, "fraction", "-fraction NaN"},
		{func(c *Config, g *Graph) { g.Kernel.Imbalance = 2.5 }, "imbalance", "-imbalance 2.5: must be 0..2"},
		{func(c *Config, g *Graph) { g.Kernel.Iterations = -1 }, "iter", "-iter -1: must be 0.."},
		{func(c *Config, g *Graph) { g.Kernel.Kind = 99 }, "kernel", "-kernel Kind(99): must be empty, busy_wait"},
		{func(c *Config, g *Graph) { g.Kernel.Kind = kernel.MemoryBound }, "scratch",
			"-scratch 0: kernel memory_bound: must be 16.."},
		{func(c *Config, g *Graph) { c.Place = "moon" }, "place", `-place "moon": must be bound, stealable, none`},
		{func(c *Config, g *Graph) { c.Graphs = nil }, "and", "number of graphs"},
		{func(c *Config, g *Graph) { g.Width = 1 << 23 }, "width", "the graphs need"},
		{func(c *Config, g *Graph) { g.Output = 1 << 30 }, "output", "the graphs need"},
		{func(c *Config, g *Graph) { g.Scratch = 1 << 30 }, "scratch", "the limit is 1.0 GiB"},
		{func(c *Config, g *Graph) { g.Type, g.Width = AllToAll, 20000 }, "width", "the graphs need"},
		{func(c *Config, g *Graph) { g.Width = 500_000 }, "width", "-width 500000: the graphs need "},
		{func(c *Config, g *Graph) { g.Type, g.Width, g.Radix = Nearest, 2000, 2000 }, "radix",
			"-radix 2000: the graphs need "},
		{func(c *Config, g *Graph) { g.Type, g.Width, g.Radix = Nearest, 8000, 8000 }, "radix",
			"-radix 8000: the graphs need "},
		{func(c *Config, g *Graph) { g.Type, g.Period = Spread, 1<<20 }, "period", "-period 1048576: the graphs need "},
		{func(c *Config, g *Graph) { g.Width, g.Output = 1<<23, 1<<40 }, "output",
			"-output 1099511627776: the graphs need "},
		{func(c *Config, g *Graph) { c.Graphs = slices.Repeat(c.Graphs, 1<<15) }, "and",
			"-and 32768 (number of graphs): the graphs need "},
	} {
		c := Defaults()
		tc.change(&c, &c.Graphs[0])
		err := testrun.As[*trial.ConfigError](t, c.Validate(1<<30), "%s", tc.message)
		if err.Flag != tc.flag || !strings.Contains(err.Error(), tc.message) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q, want flag %s and %q", err, tc.flag, tc.message)
		}
	}
}

// A graph's blocks are data blocks, whatever the memory limit is.
func TestBlocksAreBounded(t *testing.T) {
	c := Defaults()
	c.Graphs[0].Scratch = 1 << 36
	testrun.Fails(t, c.Validate(0), "the limit is 128.0 GiB")
}
