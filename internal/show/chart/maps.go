package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/core/topo"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// leastCPUs is the least number of processors whose pairs are shown as maps.
const leastCPUs = 4

// Maps returns the matrices of a document that have enough processors for a picture.
func Maps(d *report.Document) []*matrix.Matrix {
	return slices.DeleteFunc(Matrices(d), func(m *matrix.Matrix) bool { return len(m.CPUs) < leastCPUs })
}

// Matrices returns matrices of the results of pairs, which have names with cpus=A,B: a matrix for each test and set of
// other settings. The matrix shows form polled, or else the first form that has results.
func Matrices(d *report.Document) (list []*matrix.Matrix) {
	pairs := slices.DeleteFunc(entries(d), func(e entry) bool { return e.pair() == nil || len(e.units()) == 0 })
	shown := map[string]string{} // by test: its form
	for _, e := range pairs {
		if shown[e.group()] == "" || e.form() == "polled" {
			shown[e.group()] = e.form()
		}
	}
	pairs = slices.DeleteFunc(pairs, func(e entry) bool { return e.form() != shown[e.group()] })
	title := func(e entry) string {
		return strings.TrimSpace(e.title() + ", " + e.form() + " " + strings.Join(e.settings("cpus"), " "))
	}
	for _, cells := range report.Grouped(pairs, title) {
		unit, cpus, values := cells[0].units()[0], slices.Clone(d.CPUs), map[matrix.Pair]float64{}
		for _, e := range cells {
			pair := *e.pair()
			cpus = append(cpus, pair.From, pair.To)
			values[pair] = e.Metrics.Summary(e.units()[0]).Median
		}
		slices.Sort(cpus)
		t := cmp.Or(d.Topology, &topo.Topology{})
		list = append(list, matrix.New(title(cells[0]), unit, t, slices.Compact(cpus), values))
	}
	return list
}

// pair returns the two processors of a result; nil if it is not of a pair.
func (e entry) pair() *matrix.Pair {
	from, to, _ := strings.Cut(e.keys.Text("cpus"), ",")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || a == b {
		return nil
	}
	return &matrix.Pair{From: a, To: b}
}
