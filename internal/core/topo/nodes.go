package topo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// nodes reads the NUMA nodes and sets the node of each CPU. A kernel without NUMA shows none: then there is one node,
// of all CPUs.
func (r *reader) nodes(t *Topology) {
	ids, ok := r.list(nodeDir + "/online")
	if !ok || len(ids) == 0 {
		r.warn("no NUMA nodes in /" + nodeDir + ": taken as one node")
		t.Nodes = []Node{{CPUs: idsOf(t.CPUs)}}
		t.Nodes[0].Memory, _ = parsed(r, "proc/meminfo", parseMemTotal)
		t.joinNodes()
		return
	}
	for _, id := range ids {
		dir := fmt.Sprintf("%s/node%d/", nodeDir, id)
		n := Node{ID: id}
		cpus, ok := r.list(dir + "cpulist")
		if !ok {
			r.warn(fmt.Sprintf("NUMA node %d does not list its CPUs", id))
		}
		n.CPUs = t.onlyOnline(cpus)
		n.Memory, _ = parsed(r, dir+"meminfo", parseMemTotal)
		t.Nodes = append(t.Nodes, n)
	}
	t.joinNodes()
	for _, c := range t.CPUs {
		if c.Node == Unknown {
			r.miss("in no NUMA node", c.ID)
		}
	}
}

func (t *Topology) joinNodes() {
	for _, n := range t.Nodes {
		for i := range t.CPUs {
			if slices.Contains(n.CPUs, t.CPUs[i].ID) {
				t.CPUs[i].Node = n.ID
			}
		}
	}
}

// parseMemTotal finds the MemTotal line of a node's or the machine's meminfo and
// returns it in bytes.
func parseMemTotal(text string) (uint64, error) {
	for line := range strings.Lines(text) {
		_, value, ok := strings.Cut(line, "MemTotal:")
		if !ok {
			continue
		}
		number, isKB := strings.CutSuffix(strings.TrimSpace(value), " kB")
		kb, err := strconv.ParseUint(number, 10, 64)
		if err != nil || !isKB || kb > 1<<52 {
			return 0, fmt.Errorf("bad line %q", strings.TrimSpace(line))
		}
		return kb << 10, nil
	}
	return 0, errors.New("no MemTotal line")
}
