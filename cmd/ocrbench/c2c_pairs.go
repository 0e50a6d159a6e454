package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	c2capp "ocr/apps/c2c"
	"ocr/internal/cli"
	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/matrix"
	"ocr/internal/report"
	"ocr/internal/topo"
)

// c2cPair is a pair of processors to measure; From is end A.
type c2cPair struct {
	matrix.Pair
	reversed bool // the same two as an earlier pair: only for tests where direction matters
}

// directed reports whether a test differs with who is end A.
func directed(t c2capp.Test) bool {
	return t == c2capp.Flow || t == c2capp.Blocked || t == c2capp.Ring
}

// pairList resolves --cpus, --pairs, --same-core and --skip-smt. It adds to notes
// what was left out.
func (f *c2cFlags) pairList(s *commonFlags, cmd *cobra.Command, m *machine.Machine, notes *[]string) ([]c2cPair, error) {
	var pairs []c2cPair
	var err error
	switch {
	case f.pairs != "" && cmd.Flags().Changed("cpus"):
		return nil, cli.Usagef("--pairs %s: cannot be had together with --cpus", report.Plain(f.pairs))
	case f.pairs == "" && cmd.Flags().Changed("pairs"):
		return nil, cli.Usagef(`--pairs "": %s`, f.pairRule(m))
	case f.pairs == allPairs:
		pairs, err = f.everyPair(m)
	case f.pairs != "":
		pairs, err = f.listedPairs(m)
	case f.cpus != "" || cmd.Flags().Changed("cpus"):
		pairs, err = f.givenPair(s.line.Source(cmd, "cpus"), m)
	default:
		pairs, err = f.defaultPair(m)
	}
	if err != nil || !f.skipSMT {
		return pairs, err
	}
	return f.withoutSiblings(m, pairs, notes)
}

// everyPair returns all pairs of allowed processors in the order of the matrix. A
// pair comes once, and the other way round too where a test needs that.
func (f *c2cFlags) everyPair(m *machine.Machine) ([]c2cPair, error) {
	if f.sameCore {
		return nil, cli.Usagef("--pairs all: cannot be had together with --same-core")
	}
	if len(m.Allowed) < 2 {
		return nil, oneProcessor(m)
	}
	order, err := matrix.New(matrix.Input{Topology: m.Topology, CPUs: m.Allowed})
	if err != nil {
		return nil, err
	}
	bothWays := slices.ContainsFunc(f.testList(), directed)
	var pairs []c2cPair
	for row := range order.Len() {
		for column := range order.Len() {
			if row < column || row > column && bothWays {
				pairs = append(pairs, c2cPair{order.Pair(row, column), row > column})
			}
		}
	}
	return pairs, nil
}

func (f *c2cFlags) listedPairs(m *machine.Machine) ([]c2cPair, error) {
	var pairs []c2cPair
	for _, text := range strings.Split(f.pairs, ",") {
		a, b, _ := strings.Cut(text, ":")
		pair, err := f.pair("--pairs "+report.Plain(f.pairs), a, b, f.pairRule(m), m)
		if err != nil {
			return nil, err
		}
		if slices.Contains(pairs, pair) {
			return nil, cli.Usagef("--pairs %s: pair %v is named twice", report.Plain(f.pairs), pair.Pair)
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

func (f *c2cFlags) pairRule(m *machine.Machine) string {
	return "must be all, or a list of pairs of processors within " + cpulist.Format(m.Allowed) + ", as 0:1,0:2"
}

// givenPair reads --cpus: A,B, or a Linux list of two, whose first is end A.
func (f *c2cFlags) givenPair(flag string, m *machine.Machine) ([]c2cPair, error) {
	a, b, _ := strings.Cut(f.cpus, ",")
	if list, err := cpulist.Parse(f.cpus); err == nil && len(list) == 2 && strings.Contains(f.cpus, "-") {
		a, b = strconv.Itoa(list[0]), strconv.Itoa(list[1])
	}
	rule := "must be two processors A,B within " + cpulist.Format(m.Allowed)
	pair, err := f.pair(flag+" "+report.Plain(f.cpus), a, b, rule, m)
	return []c2cPair{pair}, err
}

// pair checks two processors that a flag has named. rule says what the flag takes.
func (f *c2cFlags) pair(what, a, b, rule string, m *machine.Machine) (c2cPair, error) {
	from, errA := strconv.Atoi(a)
	to, errB := strconv.Atoi(b)
	if errA != nil || errB != nil {
		return c2cPair{}, cli.Usagef("%s: %s", what, rule)
	}
	for _, cpu := range []int{from, to} {
		if !slices.Contains(m.Allowed, cpu) {
			return c2cPair{}, cli.Usagef("%s: processor %d is not in the allowed mask %s", what, cpu, cpulist.Format(m.Allowed))
		}
	}
	if from == to && !f.sameCore {
		return c2cPair{}, cli.Usagef("%s: processor %d is named twice: must be two of the allowed processors %s, or add --same-core", what, from, cpulist.Format(m.Allowed))
	}
	return c2cPair{Pair: matrix.Pair{From: from, To: to}}, nil
}

// defaultPair returns two cores near each other: threads of one core only where
// there is no other.
func (f *c2cFlags) defaultPair(m *machine.Machine) ([]c2cPair, error) {
	order := m.Topology.Order(topo.Compact, m.Allowed)
	if f.sameCore {
		return []c2cPair{{Pair: matrix.Pair{From: order[0], To: order[0]}}}, nil
	}
	if len(order) < 2 {
		return nil, oneProcessor(m)
	}
	return []c2cPair{{Pair: matrix.Pair{From: order[0], To: order[1]}}}, nil
}

func oneProcessor(m *machine.Machine) error {
	return cli.Usagef("c2c: needs two processors, the allowed mask is %s: allow another (taskset), or put both ends on it with --same-core", cpulist.Format(m.Allowed))
}

func (f *c2cFlags) withoutSiblings(m *machine.Machine, pairs []c2cPair, notes *[]string) ([]c2cPair, error) {
	kept := slices.DeleteFunc(slices.Clone(pairs), func(p c2cPair) bool {
		return m.Topology.Distance(p.From, p.To) == topo.SMT
	})
	if len(kept) == 0 {
		return nil, cli.Usagef("--skip-smt: every pair is of two threads of one core; the allowed mask is %s", cpulist.Format(m.Allowed))
	}
	if n := len(pairs) - len(kept); n > 0 {
		*notes = append(*notes, fmt.Sprintf("skipped: %d pairs of two threads of one core", n))
	}
	return kept, nil
}
