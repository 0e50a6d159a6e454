package page

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/report"
	"ocr/internal/viridis"
)

// heatMap is a figure of each pair of processors.
type heatMap struct {
	Title string
	Unit  string
	CPUs  []int
	Rows  []heatRow
	Low   string
	High  string
}

type heatRow struct {
	CPU   int
	Cells []heatCell
}

type heatCell struct {
	Text  string // empty if there is no value
	Style template.CSS
	Title string
}

// leastPairs is from how many on pairs are shown as a map.
const leastPairs = 2

// heatMaps shows the results of pairs, key cpus=A,B: of form polled, or of the first that has
// results, of each test.
func heatMaps(files []*fileView) []heatMap {
	var order []string
	shown := map[string]string{} // the form of a test of a file
	sets := map[string]map[[2]int]entry{}
	for _, e := range entries(files) {
		pair, ok := e.pair()
		if !ok {
			continue
		}
		test := e.file.Letter + " " + e.group()
		if shown[test] == "" || e.form() == "polled" {
			shown[test] = e.form()
		}
		name := e.file.Letter + " " + e.without("cpus")
		if sets[name] == nil {
			sets[name] = map[[2]int]entry{}
			order = append(order, name)
		}
		sets[name][pair] = e
	}
	var list []heatMap
	for _, name := range order {
		set := sets[name]
		var one entry
		for _, one = range set {
			break
		}
		all := slices.ContainsFunc(one.file.document.Config, func(s report.Setting) bool { return s.Key == "pairs" && s.Value == "all" })
		if shown[one.file.Letter+" "+one.group()] == one.form() && (all || len(set) >= leastPairs) {
			list = append(list, newHeatMap(name, set, len(files) > 1))
		}
	}
	return list
}

// pair returns the two processors of a result that is of two.
func (e entry) pair() (pair [2]int, ok bool) {
	for _, k := range e.keys {
		a, b, two := strings.Cut(k[1], ",")
		if k[0] == "cpus" && two {
			from, err1 := strconv.Atoi(a)
			to, err2 := strconv.Atoi(b)
			return [2]int{from, to}, err1 == nil && err2 == nil && from != to
		}
	}
	return pair, false
}

func newHeatMap(name string, set map[[2]int]entry, letters bool) heatMap {
	letter, title, _ := strings.Cut(strings.ReplaceAll(name, "/cpus=*", ""), " ")
	if letters {
		title += " (" + letter + ")"
	}
	m := heatMap{Title: title}
	for pair := range set {
		m.CPUs = append(m.CPUs, pair[0], pair[1])
	}
	slices.Sort(m.CPUs)
	m.CPUs = slices.Compact(m.CPUs)
	low, high := math.Inf(1), math.Inf(-1)
	values := map[[2]int]float64{}
	for pair, e := range set {
		if units := e.units(); len(units) > 0 {
			m.Unit = units[0]
		}
		values[pair] = e.whole.Metrics.Summary(m.Unit).Median
		low, high = min(low, values[pair]), max(high, values[pair])
	}
	if !directed(values) {
		for pair, v := range maps.Clone(values) {
			values[[2]int{pair[1], pair[0]}] = v
		}
	}
	m.Low, m.High = report.Short(low), report.Short(high)
	for _, from := range m.CPUs {
		row := heatRow{CPU: from}
		for _, to := range m.CPUs {
			var cell heatCell
			if v, ok := values[[2]int{from, to}]; ok {
				cell = heatCell{rounded(v), shade((v - low) / max(high-low, math.SmallestNonzeroFloat64)), fmt.Sprintf("CPU %d to CPU %d: %s %s", from, to, report.Short(v), m.Unit)}
			}
			row.Cells = append(row.Cells, cell)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// directed reports whether some pair was measured in both directions, so that each has its own.
func directed(values map[[2]int]float64) bool {
	for pair := range values {
		if _, both := values[[2]int{pair[1], pair[0]}]; both {
			return true
		}
	}
	return false
}

// rounded writes a value in three digits.
func rounded(v float64) string {
	if v >= 1e5 {
		return prefixed(math.Round(v/1e3) * 1e3)
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(max(v, 1e-9))))), 64)
}

// shade returns the colours of a cell whose value is that part of the range: it is readable on
// any theme.
func shade(part float64) template.CSS {
	at := min(max(part, 0), 1) * float64(len(viridis.Colors)-1)
	k := min(int(at), len(viridis.Colors)-2)
	from, to := viridis.Colors[k], viridis.Colors[k+1]
	between := func(from, to uint8) int { return int(float64(from) + (at-float64(k))*(float64(to)-float64(from))) }
	red, green, blue := between(from.R, to.R), between(from.G, to.G), between(from.B, to.B)
	ink := "#fff"
	if 0.299*float64(red)+0.587*float64(green)+0.114*float64(blue) > 128 {
		ink = "#000"
	}
	return template.CSS(fmt.Sprintf("background:rgb(%d,%d,%d);color:%s", red, green, blue, ink))
}
