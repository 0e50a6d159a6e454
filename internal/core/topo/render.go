package topo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/core/cpulist"
)

// String describes the machine in several lines for people: model and totals, the NUMA nodes, each core and where it
// lies, then caches, offline CPUs and warnings.
func (t *Topology) String() string {
	var b strings.Builder
	model := cmp.Or(t.Model, "unknown processor")
	if t.Hypervisor {
		model += " (virtual machine)"
	}
	fmt.Fprintf(&b, "%s\n%s, %s, %s, %s; governor %s\n", model,
		count(t.Sockets(), "package"), count(len(t.Nodes), "NUMA node"), count(t.Cores(), "core"),
		count(len(t.CPUs), "CPU"), t.Governor)
	for _, line := range t.NodeSummary() {
		fmt.Fprintln(&b, line)
	}
	core := Unknown
	for _, c := range slices.SortedFunc(slices.Values(t.CPUs), ByPlace) {
		if c.Core != core {
			core = c.Core
			fmt.Fprintf(&b, "core %d: %s; package %d, node %s, L3 %s, L2 %s\n",
				core, named(c.Siblings), c.Package, known(c.Node), known(c.L3), known(c.L2))
		}
	}
	for _, line := range t.CacheSummary() {
		fmt.Fprintln(&b, "cache", line)
	}
	if len(t.Offline) > 0 {
		fmt.Fprintf(&b, "offline: %s\n", named(t.Offline))
	}
	for _, w := range t.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	return b.String()
}

// known formats the number of a node or cache.
func known(number int) string {
	if number == Unknown {
		return "?"
	}
	return strconv.Itoa(number)
}

// named formats CPUs for people: "CPU 3", "CPUs 0-2".
func named(cpus []int) string {
	switch len(cpus) {
	case 0:
		return "no CPUs"
	case 1:
		return fmt.Sprint("CPU ", cpus[0])
	}
	return "CPUs " + cpulist.Format(cpus)
}

// CacheSummary returns a line for every kind of cache: "L2 1 MiB x8, for 2 CPUs
// each, 64 B lines".
func (t *Topology) CacheSummary() []string {
	type kind struct {
		name string
		size uint64
		cpus int
		line int
	}
	var kinds []kind
	instances := map[kind]int{}
	for _, c := range t.Caches {
		suffix := map[string]string{"Data": "d", "Instruction": "i"}[c.Type]
		k := kind{fmt.Sprintf("L%d%s", c.Level, suffix), c.Size, len(c.CPUs), c.Line}
		if instances[k] == 0 {
			kinds = append(kinds, k)
		}
		instances[k]++
	}
	lines := make([]string, len(kinds))
	for i, k := range kinds {
		lines[i] = fmt.Sprintf("%s %s x%d, for %s each", k.name, bytes(k.size), instances[k], count(k.cpus, "CPU"))
		if k.line > 0 {
			lines[i] += fmt.Sprintf(", %d B lines", k.line)
		}
	}
	return lines
}

// NodeSummary returns a line for every NUMA node: "node 0: CPUs 0-3, 16 GiB".
func (t *Topology) NodeSummary() []string {
	lines := make([]string, len(t.Nodes))
	for i, n := range t.Nodes {
		lines[i] = fmt.Sprintf("node %d: %s, %s", n.ID, named(n.CPUs), bytes(n.Memory))
	}
	return lines
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// bytes formats a size in the largest unit that is at most the size, with one decimal unless it is whole.
func bytes(n uint64) string {
	if n == 0 {
		return "size unknown"
	}
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	value, unit := float64(n), 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", value), ".0") + " " + units[unit]
}
