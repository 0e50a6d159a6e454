package machine

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"ocr/internal/core/sys"
)

// Conditions are the share of the processors that a measurement had, and what else used them. The JSON names are part
// of the layout ocrbench/1.
type Conditions struct {
	Processors int     `json:"processors"` // of the measurement
	Seconds    float64 `json:"seconds"`    // duration of the measurement
	// CapacityBefore and CapacityAfter are the speed of bare loops, one on each processor at the same time, in units of
	// one loop alone and undisturbed: at best [Conditions.Processors]. Both are 0 if there is one processor.
	CapacityBefore float64 `json:"capacity_before,omitempty"`
	CapacityAfter  float64 `json:"capacity_after,omitempty"`
	// Others is the share of the processors' time, 0 to 1, that other processes used, and Steal the share that the
	// hypervisor gave to other machines; -1 if unknown, as for a measurement too short for the system's clock ticks.
	Others float64 `json:"others"`
	Steal  float64 `json:"steal"`
	// Load is the machine's load average of one minute at the end; -1 if unknown.
	Load float64 `json:"load"`
	// Involuntary is how often a thread of this process lost its processor to another.
	Involuntary int64 `json:"involuntary_switches"`
}

// An Observation is a running measurement, observed from outside.
type Observation struct {
	cpus       []int
	proc       fs.FS // /proc
	spin       func(cpus []int) spun
	before     spun
	begun      time.Time
	usage      sys.Usage
	ticks      ticks
	ticksKnown bool
}

// Observe begins to observe the processors of a measurement; call it just before the measurement:
//
//	o := machine.Observe(cpus)
//	... measure ...
//	d.Conditions = o.End()
//
// cpus are the processors of the workers, each once. If there are two or more, Observe and End run loops on a few of
// them alone for 4 ms each, and on all for some 30 ms, to measure their speed. Nothing else may run in the process
// meanwhile.
func Observe(cpus []int) *Observation {
	return observe(cpus, os.DirFS("/proc"), spin)
}

func observe(cpus []int, proc fs.FS, spin func([]int) spun) *Observation {
	o := &Observation{cpus: cpus, proc: proc, spin: spin}
	if len(cpus) > 1 {
		o.before = spin(cpus)
	}
	o.ticks, o.ticksKnown = readTicks(proc, cpus)
	o.usage, o.begun = sys.ProcessUsage(), time.Now()
	return o
}

// End returns the conditions since [Observe].
func (o *Observation) End() *Conditions {
	took, usage := time.Since(o.begun), sys.ProcessUsage()
	c := &Conditions{
		Processors: len(o.cpus), Seconds: took.Seconds(), Others: -1, Steal: -1, Load: readLoad(o.proc),
		Involuntary: usage.Involuntary - o.usage.Involuntary,
	}
	if now, ok := readTicks(o.proc, o.cpus); ok && o.ticksKnown {
		c.share(now.sub(o.ticks), usage.CPU-o.usage.CPU)
	}
	if len(o.cpus) > 1 {
		after := o.spin(o.cpus)
		best := max(o.before.best, after.best)
		c.CapacityBefore, c.CapacityAfter = o.before.together.in(best), after.together.in(best)
	}
	return c
}

// leastTicks is the least number of ticks of the system's clock, usually of 10 ms, from which a share is computed.
const leastTicks = 10

// share sets the shares of the processors' time. This process used own of it.
func (c *Conditions) share(t ticks, own time.Duration) {
	if t.total < leastTicks {
		return
	}
	busy := float64(t.busy) / float64(t.total)
	had := own.Seconds() / (c.Seconds * float64(c.Processors))
	c.Others = min(max(busy-had, 0), 1)
	c.Steal = float64(t.steal) / float64(t.total)
}

// Check refuses conditions in a file that no measurement can have: a negative number that does not mean unknown, or one
// larger than on any machine or in any year.
func (c *Conditions) Check() error {
	if c == nil {
		return nil
	}
	const most = 1e9
	numbers := []float64{float64(c.Processors), c.Seconds, c.CapacityBefore, c.CapacityAfter,
		max(c.Others, 0), max(c.Steal, 0), max(c.Load, 0)}
	for _, v := range numbers {
		if v < 0 || v > most {
			return fmt.Errorf("has conditions that no measurement has: %v: must be from 0 to %v", v, most)
		}
	}
	return nil
}

// Capacity is the mean of the capacities before and after the measurement, 0 if there is one processor.
func (c *Conditions) Capacity() float64 { return (c.CapacityBefore + c.CapacityAfter) / 2 }

// Bounds of a quiet machine.
const (
	quietOthers = 0.10 // share of the processors' time
	quietSteal  = 0.05
	quietChange = 0.15 // of the capacity, between before and after
)

// Busy says what else used the processors, if it was so much that figures may have suffered, else "".
func (c *Conditions) Busy() string {
	if c == nil {
		return ""
	}
	var why []string
	if c.Others > quietOthers {
		why = append(why, fmt.Sprintf("other processes took %s of the processors", percent(c.Others)))
	}
	if c.Steal > quietSteal {
		why = append(why, fmt.Sprintf("the hypervisor took %s", percent(c.Steal)))
	}
	if math.Abs(c.CapacityBefore-c.CapacityAfter) > quietChange*max(c.CapacityBefore, c.CapacityAfter) {
		why = append(why, fmt.Sprintf("the processors gave %.2f of %d before and %.2f after", c.CapacityBefore, c.Processors,
			c.CapacityAfter))
	}
	return strings.Join(why, ", ")
}

// String returns the conditions as one line.
func (c *Conditions) String() string {
	var b strings.Builder
	if c.CapacityBefore > 0 {
		fmt.Fprintf(&b, "capacity %.2f of %d before, %.2f after; ", c.CapacityBefore, c.Processors, c.CapacityAfter)
	}
	if c.Others >= 0 {
		fmt.Fprintf(&b, "other processes took %s of the processors, ", percent(c.Others))
	}
	if c.Steal > 0 {
		fmt.Fprintf(&b, "the hypervisor %s, ", percent(c.Steal))
	}
	fmt.Fprintf(&b, "%d involuntary switches", c.Involuntary)
	return b.String()
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
