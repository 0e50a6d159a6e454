package machine

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"ocr/internal/core/sys"
)

// Conditions say what else used the processors of a measurement. The JSON names are part of the layout ocrbench/1.
type Conditions struct {
	Processors int `json:"processors"`
	// Others is the share of the processors' time, 0 to 1, that other processes used, and Steal the share that the
	// hypervisor gave to other machines.
	Others float64 `json:"others"`
	Steal  float64 `json:"steal"`
}

// Observe begins to observe the processors of a measurement; cpus has each of them once. end returns the conditions
// since then; nil if the system does not tell them, or if the measurement was too short for the system's ticks.
func Observe(cpus []int) (end func() *Conditions) { return observe(cpus, os.DirFS("/proc")) }

func observe(cpus []int, proc fs.FS) (end func() *Conditions) {
	before, known := readTicks(proc, cpus)
	used, begun := sys.ProcessTime(), time.Now()
	return func() *Conditions {
		after, ok := readTicks(proc, cpus)
		if !known || !ok {
			return nil
		}
		own := (sys.ProcessTime() - used).Seconds() / time.Since(begun).Seconds() / float64(len(cpus))
		passed := ticks{after.busy - before.busy, after.steal - before.steal, after.total - before.total}
		return passed.conditions(len(cpus), own)
	}
}

// ticks are how some processors spent their time, in ticks of the system's clock.
type ticks struct{ busy, steal, total int64 }

// readTicks adds up /proc/stat over processors. ok is false if a processor is missing in the file.
func readTicks(proc fs.FS, cpus []int) (t ticks, ok bool) {
	data, err := fs.ReadFile(proc, "stat")
	found := 0
	for line := range strings.Lines(string(data)) {
		var cpu int
		var user, nice, system, idle, iowait, irq, softirq, steal int64 // guests are part of user and nice: proc_stat(5)
		n, _ := fmt.Sscanf(line, "cpu%d %d %d %d %d %d %d %d %d",
			&cpu, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal)
		if n == 9 && slices.Contains(cpus, cpu) {
			busy := user + nice + system + irq + softirq
			t = ticks{t.busy + busy, t.steal + steal, t.total + busy + idle + iowait + steal}
			found++
		}
	}
	return t, err == nil && found == len(cpus) && found > 0
}

// leastTicks is the least number of ticks of the system's clock, usually of 10 ms, from which a share is computed.
const leastTicks = 10

// conditions returns the shares of the time of some processors. This process used the share own.
func (t ticks) conditions(processors int, own float64) *Conditions {
	if t.total < leastTicks {
		return nil
	}
	total := float64(t.total)
	share := func(v float64) float64 { return min(max(v, 0), 1) } // a counter may go back when a machine moves
	return &Conditions{
		Processors: processors, Others: share(float64(t.busy)/total - own), Steal: share(float64(t.steal) / total),
	}
}

// Check refuses conditions that no measurement can have.
func (c *Conditions) Check() error {
	if c != nil && (c.Processors < 1 || c.Others < 0 || c.Others > 1 || c.Steal < 0 || c.Steal > 1) {
		return fmt.Errorf("has conditions that no measurement has: %+v: must be shares of 0 to 1", *c)
	}
	return nil
}

// Bounds of a quiet machine, in shares of the processors' time.
const (
	quietOthers = 0.10
	quietSteal  = 0.05
)

// Busy says what else used the processors, if it was so much that figures may have suffered, else "".
func (c *Conditions) Busy() string {
	if c == nil || c.Others <= quietOthers && c.Steal <= quietSteal {
		return ""
	}
	return c.String()
}

// Unlike says in what the conditions of two measurements differ by more than a quiet machine allows: then their figures
// are not comparable. It returns "" if they differ less, or if the conditions of one are unknown.
func (c *Conditions) Unlike(o *Conditions) string {
	took := func(who string, a, b float64) string {
		return fmt.Sprintf("%s took %.0f %% of the processors in one and %.0f %% in the other", who, 100*a, 100*b)
	}
	switch {
	case c == nil || o == nil:
		return ""
	case math.Abs(c.Others-o.Others) > quietOthers:
		return took("other processes", c.Others, o.Others)
	case math.Abs(c.Steal-o.Steal) > quietSteal:
		return took("the hypervisor", c.Steal, o.Steal)
	}
	return ""
}

// String returns the conditions as one line.
func (c *Conditions) String() string {
	text := fmt.Sprintf("other processes took %.0f %% of the processors", 100*c.Others)
	if c.Steal > 0 {
		text += fmt.Sprintf(", the hypervisor %.0f %%", 100*c.Steal)
	}
	return text
}
