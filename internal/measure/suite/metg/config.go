package metg

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// Name begins the names of all results.
const Name = "metg"

// A Form is a way to run the graphs.
type Form string

const (
	EDT      Form = "edt"      // the task graph
	Recorded Form = "recorded" // the task graph, with steps that are recorded once and run many times
	Floor    Form = "floor"    // plain loops without any synchronisation
)

// Forms returns all forms.
func Forms() []Form { return []Form{EDT, Recorded, Floor} }

// Config is what to measure.
type Config struct {
	Types   []taskbench.Pattern
	Workers []int // numbers of workers, in turn; none: the number of the testbed's pool
	Forms   []Form
	Width   int           // most tasks of a timestep; 0: ColumnsPerWorker for each worker
	Steps   int           // timesteps; 0: LeastSteps, or as many more as fill a sample
	Longest time.Duration // bounds the sizes: the kernels of a run with the least steps take no longer
}

// The values of Task Bench's paper: nearest and spread with five dependences, and 1000 steps. The width depends on the
// machine.
const (
	radix            = 5
	LeastSteps       = 1000
	ColumnsPerWorker = 4
)

// percent is the percentage of the peak for which METG is measured.
const percent = 50

// Fits reports whether a graph of this type can have the width.
func (c *Config) Fits(pattern taskbench.Pattern) bool {
	app := c.app(pattern, false)
	return c.Width == 0 || app.Validate(0) == nil
}

// resolve sets the width, and refuses, as a [*trial.ConfigError], what cannot run.
func (c *Config) resolve(bed *testbed.Bed, pool *testbed.Pool) error {
	if c.Width == 0 {
		c.Width = ColumnsPerWorker * pool.Workers
	}
	for _, pattern := range c.Types {
		app := c.app(pattern, bed.Verify)
		app.Recorded = slices.Contains(c.Forms, Recorded)
		if bad, is := errors.AsType[*trial.ConfigError](app.Validate(taskgraph.Memory())); is {
			if bad.Flag == "type" {
				bad.Flag = "types"
			} else if !strings.Contains(bad.Reason, pattern.String()) {
				bad.About = "with type " + pattern.String()
			}
			return bad
		}
	}
	return nil
}

// app returns a Config with one graph, of this type, with 0 iterations.
func (c *Config) app(pattern taskbench.Pattern, verify bool) taskbench.Config {
	g := taskbench.DefaultGraph()
	g.Type, g.Width, g.Steps, g.Period = pattern, c.Width, c.Steps, pattern.Period()
	if c.Steps == 0 {
		g.Steps = LeastSteps
	}
	if pattern.UsesRadix() {
		g.Radix = min(radix, c.Width)
	}
	g.Kernel.Kind = kernel.ComputeBound
	app := taskbench.Defaults()
	app.Verify, app.Graphs = verify, []taskbench.Graph{g}
	return app
}

// settings returns the recorded configuration. Without a width each number of workers has its own width.
func (c *Config) settings() report.Config {
	steps, width, most := "adaptive", any(c.Width), min(radix, c.Width)
	if c.Width == 0 {
		width, most = fmt.Sprintf("%d/worker", ColumnsPerWorker), radix
	}
	if c.Steps > 0 {
		steps = fmt.Sprint(c.Steps)
	}
	return report.Settings(
		"types", sizes.Join(c.Types), "forms", sizes.Join(c.Forms), "width", width, "fixed-steps", steps,
		"radix", most, "max-run", c.Longest.String())
}

// name returns the name of the result of a sweep, or of one of its sizes, without values that are the default. A METG
// without a form in its name is that of form edt.
func (r *run) name(w *sweep, size ...string) string {
	parts := []string{Name, w.pattern.String()}
	if w.form != EDT {
		parts = append(parts, string(w.form))
	}
	if r.cfg.Width != ColumnsPerWorker*r.pool.Workers {
		parts = append(parts, fmt.Sprintf("width=%d", r.cfg.Width))
	}
	if r.cfg.Steps > 0 {
		parts = append(parts, fmt.Sprintf("steps=%d", r.cfg.Steps))
	}
	return fmt.Sprintf("%s/workers=%d", strings.Join(append(parts, size...), "/"), r.pool.Workers)
}
