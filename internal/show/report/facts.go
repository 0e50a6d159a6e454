package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Fact is something that the results of a document depend on.
type Fact struct {
	Kind  string // "machine", "build" or "config"
	Key   string
	Value string // one line
	// Moves says that two runs that are comparable may differ in it: the commit, memory, the workers' processors, how
	// it was sampled.
	Moves bool
}

// procedural are settings of the sampling: two runs that differ in them alone measure the same.
var procedural = map[string]bool{"samples": true, "trials": true, "warmup": true, "sample-time": true, "env": true}

// Facts lists the facts of a document that are known: of the machine, then of the build, then the configuration.
func (d *Document) Facts() []Fact {
	const fixed, moves = false, true
	m, b := d.Machine, d.Build
	var list []Fact
	add := func(kind, key string, value any, mobile bool) {
		if text := oneLine(value); text != "" {
			list = append(list, Fact{kind, key, text, mobile})
		}
	}
	add("machine", "cpu", m.CPU, fixed)
	add("machine", "sockets", m.Sockets, fixed)
	add("machine", "cores", m.Cores, fixed)
	add("machine", "smt", m.SMT, fixed)
	add("machine", "caches", strings.Join(m.Caches, "; "), fixed)
	add("machine", "numa", strings.Join(m.NUMA, "; "), moves)
	add("machine", "mask", m.Mask, fixed)
	if m.Quota > 0 {
		add("machine", "cpu quota", m.Quota, fixed)
	}
	add("machine", "kernel", m.Kernel, moves)
	add("machine", "governor", m.Governor, fixed)
	add("build", "version", b.Version, moves)
	add("build", "commit", b.Commit, moves)
	add("build", "dirty", b.Dirty, moves)
	add("build", "go", b.Go, fixed)
	add("build", "gomaxprocs", b.GOMAXPROCS, moves)
	add("build", "gogc", b.GOGC, fixed)
	add("config", "app", d.App, fixed)
	for _, s := range d.Config {
		add("config", s.Key, s.text(), procedural[s.Key])
	}
	add("config", "placement", placement(m.Placement), moves)
	return list
}

// placement writes the CPU of each worker, in the order of the workers.
func placement(cpus []int) string {
	if len(cpus) == 0 {
		return "none"
	}
	list := make([]string, len(cpus))
	for i, cpu := range cpus {
		list[i] = "?"
		if cpu >= 0 {
			list[i] = strconv.Itoa(cpu)
		}
	}
	return strings.Join(list, ",")
}

func oneLine(value any) string { return strings.Join(strings.Fields(fmt.Sprint(value)), " ") }
