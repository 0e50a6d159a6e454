package c2c

import (
	"fmt"
	"slices"

	"ocr/apps/trial"
	"ocr/internal/core/cpulist"
	"ocr/internal/core/sizes"
	"ocr/internal/core/topo"
	"ocr/internal/measure/machine"
	"ocr/internal/show/matrix"
)

func refuse(flag string, value any, reason, allowed string) error {
	return &trial.ConfigError{App: Name, Flag: flag, Value: fmt.Sprint(value), Reason: reason, Allowed: allowed}
}

// resolve returns the pairs to measure on a machine, and a note of what is left out.
func (c *Config) resolve(m *machine.Machine) (pairs []matrix.Pair, note string, err error) {
	order := m.Topology.Order(topo.Compact, m.Allowed)
	switch {
	case c.AllPairs:
		pairs, err = c.everyPair(m)
	case len(c.CPUs) == 2:
		pairs = []matrix.Pair{{From: c.CPUs[0], To: c.CPUs[1]}}
		err = c.checkCPUs(m)
	case c.SameCPU:
		pairs = []matrix.Pair{{From: order[0], To: order[0]}}
	case len(order) < 2:
		err = oneProcessor(m)
	default: // near each other: threads of one core only if there is no other core
		pairs = []matrix.Pair{{From: order[0], To: order[1]}}
	}
	if err != nil || !c.SkipSMT {
		return pairs, "", err
	}
	return withoutSiblings(m, pairs)
}

// everyPair returns all pairs of allowed processors in the order of the matrix, each once.
func (c *Config) everyPair(m *machine.Machine) ([]matrix.Pair, error) {
	if c.SameCPU {
		return nil, refuse("pairs", "all", "", "without --same-core")
	}
	if len(m.Allowed) < 2 {
		return nil, oneProcessor(m)
	}
	order := matrix.New(matrix.Input{Topology: m.Topology, CPUs: m.Allowed})
	var pairs []matrix.Pair
	for row := range order.Len() {
		for column := row + 1; column < order.Len(); column++ {
			pairs = append(pairs, order.Pair(row, column))
		}
	}
	return pairs, nil
}

// checkCPUs refuses two ends that cannot be measured.
func (c *Config) checkCPUs(m *machine.Machine) error {
	allowed, value := cpulist.Format(m.Allowed), sizes.Join(c.CPUs)
	for _, cpu := range c.CPUs {
		if !slices.Contains(m.Allowed, cpu) {
			return refuse("cpus", value, fmt.Sprintf("the process may not use %d", cpu), "within "+allowed)
		}
	}
	if c.CPUs[0] == c.CPUs[1] && !c.SameCPU {
		return refuse("cpus", value, fmt.Sprintf("processor %d is named twice", c.CPUs[0]),
			"two of the allowed processors "+allowed+", or add --same-core")
	}
	return nil
}

func oneProcessor(m *machine.Machine) error {
	return refuse("cpus", "", "", "two processors, and the process may use "+cpulist.Format(m.Allowed)+
		" only: allow another (taskset), or put both ends on it with --same-core")
}

func withoutSiblings(m *machine.Machine, pairs []matrix.Pair) (kept []matrix.Pair, note string, err error) {
	for _, p := range pairs {
		if m.Topology.Distance(p.From, p.To) != topo.SMT {
			kept = append(kept, p)
		}
	}
	switch skipped := len(pairs) - len(kept); {
	case len(kept) == 0:
		err = refuse("skip-smt", "", "",
			"with a pair of two cores: all are of two threads of one core, and the process may use "+cpulist.Format(m.Allowed))
	case skipped > 0:
		note = fmt.Sprintf("skipped: %d pairs of two threads of one core", skipped)
	}
	return kept, note, err
}
