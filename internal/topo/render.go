package topo

import (
	"fmt"
	"slices"
	"strings"

	"ocr/internal/cpulist"
)

// String describes the machine over several lines for people: a head, a tree of
// packages, nodes, level 3 caches and cores, then caches, offline CPUs and
// warnings.
func (t *Topology) String() string {
	var b strings.Builder
	model := t.Model
	if model == "" {
		model = "unknown processor"
	}
	if t.Hypervisor {
		model += " (virtual machine)"
	}
	fmt.Fprintf(&b, "%s\n%s, %s, %s, %s; governor %s\n", model,
		count(t.Sockets(), "package"), count(len(t.Nodes), "NUMA node"), count(t.Cores(), "core"),
		count(len(t.CPUs), "CPU"), t.Governor)
	t.renderTree(&b)
	for _, line := range t.CacheSummary() {
		fmt.Fprintln(&b, "cache", line)
	}
	for _, n := range t.Nodes {
		if len(n.CPUs) == 0 {
			fmt.Fprintf(&b, "%s without CPUs\n", n.title())
		}
	}
	if len(t.Offline) > 0 {
		fmt.Fprintf(&b, "offline: %s\n", named(t.Offline))
	}
	for _, w := range t.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	return b.String()
}

// renderTree writes a line for a package, node, level 3 cache or core when it, or what
// contains it, changes from one CPU to the next.
func (t *Topology) renderTree(b *strings.Builder) {
	cpus := slices.SortedFunc(slices.Values(t.CPUs), ByPlace)
	for i, c := range cpus {
		changed := i == 0
		last := cpus[max(i-1, 0)]
		for depth, part := range []struct {
			changed bool
			title   string
		}{
			{c.Package != last.Package, fmt.Sprint("package ", c.Package)},
			{c.Node != last.Node, t.titleNode(c)},
			{c.L3 != last.L3, t.titleL3(c)},
			{c.Core != last.Core, t.titleCore(c)},
		} {
			if changed = changed || part.changed; changed {
				fmt.Fprintf(b, "%*s%s\n", 2*depth, "", part.title)
			}
		}
	}
}

func (t *Topology) titleNode(c CPU) string {
	if at, ok := t.node(c.Node); ok {
		return t.Nodes[at].title()
	}
	return "node unknown"
}

func (t *Topology) titleL3(c CPU) string {
	for _, cache := range t.Caches {
		if cache.Level == 3 && cache.Type != "Instruction" && slices.Contains(cache.CPUs, c.ID) {
			return fmt.Sprintf("L3 %d (%s)", c.L3, bytes(cache.Size))
		}
	}
	return "no L3 shown"
}

// titleCore names a core, its CPUs, and its level 2 cache if cores share it.
func (t *Topology) titleCore(c CPU) string {
	title := fmt.Sprintf("core %d: %s", c.Core, named(c.Siblings))
	shared := slices.ContainsFunc(t.CPUs, func(other CPU) bool { return other.L2 == c.L2 && other.Core != c.Core })
	if c.L2 != Unknown && shared {
		title += fmt.Sprintf(" (L2 %d)", c.L2)
	}
	return title
}

// named writes CPUs for people: "CPU 3", "CPUs 0-2".
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

func (n Node) title() string { return fmt.Sprintf("node %d (%s)", n.ID, bytes(n.Memory)) }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// bytes writes a size in the largest unit that leaves at least 1, with a decimal
// unless it is whole.
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
