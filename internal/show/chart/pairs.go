package chart

import (
	"slices"
	"strconv"
	"strings"

	"ocr/internal/core/topo"
	"ocr/internal/show/matrix"
)

// leastPairs is from how many on pairs are shown as a map.
const leastPairs = 2

// A pairSet is results whose names differ in their processors only.
type pairSet struct {
	entry  // one of them
	values map[matrix.Pair]float64
}

// Maps shows the results of pairs, key cpus=A,B: of form polled, or of the first that has results, of each test.
func Maps(files ...*File) (list []*matrix.Matrix) {
	var sets []*pairSet
	shown := map[string]string{} // the form of a test of a file
	test := func(e entry) string { return e.file.Letter + " " + e.group() }
	every := entries(files)
	for _, e := range every {
		pair, ok := e.pair()
		units := e.units()
		if !ok || len(units) == 0 || fewCPUs(every, e.file) {
			continue
		}
		if shown[test(e)] == "" || e.form() == "polled" {
			shown[test(e)] = e.form()
		}
		same := func(s *pairSet) bool { return s.file == e.file && s.without("cpus") == e.without("cpus") }
		k := slices.IndexFunc(sets, same)
		if k < 0 {
			k = len(sets)
			sets = append(sets, &pairSet{e, map[matrix.Pair]float64{}})
		}
		sets[k].values[pair] = e.whole.Metrics.Summary(units[0]).Median
	}
	for _, s := range sets {
		all := s.file.Config.Text("pairs") == "all"
		if shown[test(s.entry)] == s.form() && (all || len(s.values) >= leastPairs) {
			list = append(list, s.matrix())
		}
	}
	return list
}

// pair returns the two processors of a result that is of two.
func (e entry) pair() (pair matrix.Pair, ok bool) {
	for _, k := range e.keys {
		a, b, two := strings.Cut(k[1], ",")
		if k[0] == "cpus" && two {
			from, err1 := strconv.Atoi(a)
			to, err2 := strconv.Atoi(b)
			return matrix.Pair{From: from, To: to}, err1 == nil && err2 == nil && from != to
		}
	}
	return pair, false
}

// matrix returns the map of a set. A pair that was measured one way is shown both ways, unless some pair was measured
// in both. Saved results do not say where the processors lie.
func (s *pairSet) matrix() *matrix.Matrix {
	title := strings.ReplaceAll(s.without("cpus"), "/cpus=*", "") + " " + s.file.in()
	in := matrix.Input{
		Title: strings.TrimSpace(title), Unit: s.units()[0],
		Topology: &topo.Topology{}, Values: s.values, Symmetric: true,
	}
	for pair := range s.values {
		in.CPUs = append(in.CPUs, pair.From, pair.To)
		if _, both := s.values[matrix.Pair{From: pair.To, To: pair.From}]; both {
			in.Symmetric = false
		}
	}
	slices.Sort(in.CPUs)
	in.CPUs = slices.Compact(in.CPUs)
	return matrix.New(in)
}
