package chart

import (
	"slices"
	"strconv"
	"strings"

	"ocr/internal/core/topo"
	"ocr/internal/show/matrix"
)

// LeastCPUs is from how many processors on pairs are shown as maps.
const LeastCPUs = 4

// Maps shows the results of pairs, key cpus=A,B: of form polled, or of the first that has results, of each test. Saved
// results do not say where the processors lie.
func Maps(files ...*File) (list []*matrix.Matrix) {
	pairs := slices.DeleteFunc(entries(files), func(e entry) bool { return e.pair() == nil || len(e.units()) == 0 })
	test := func(e entry) string { return e.file.Letter + " " + e.group() }
	shown := map[string]string{} // the form of a test of a file
	for _, e := range pairs {
		if shown[test(e)] == "" || e.form() == "polled" {
			shown[test(e)] = e.form()
		}
	}
	inputs := map[string]*matrix.Input{}
	var titles []string
	for _, e := range pairs {
		if e.form() != shown[test(e)] {
			continue
		}
		title, unit, pair := strings.TrimSpace(e.name("cpus")+" "+e.file.in()), e.units()[0], *e.pair()
		if inputs[title] == nil {
			titles = append(titles, title)
			inputs[title] = &matrix.Input{
				Title: title, Unit: unit, Topology: &topo.Topology{}, Values: map[matrix.Pair]float64{},
			}
		}
		in := inputs[title]
		in.CPUs = append(in.CPUs, pair.From, pair.To)
		in.Values[pair] = e.whole.Metrics.Summary(unit).Median
	}
	for _, title := range titles {
		in := inputs[title]
		slices.Sort(in.CPUs)
		if in.CPUs = slices.Compact(in.CPUs); len(in.CPUs) >= LeastCPUs {
			list = append(list, matrix.New(*in))
		}
	}
	return list
}

// pair returns the two processors of a result that is of two.
func (e entry) pair() *matrix.Pair {
	from, to, _ := strings.Cut(e.keys.Text("cpus"), ",")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || a == b {
		return nil
	}
	return &matrix.Pair{From: a, To: b}
}
