package chart

import (
	"slices"
	"strings"

	"ocr/internal/show/plot"
	"ocr/internal/show/report"
)

// LeastCPUs is from how many processors on pairs are shown as maps; below, as bars.
const LeastCPUs = 4

// fewCPUs reports whether the pairs of a file are of too few processors for a map.
func fewCPUs(all []entry, f *File) bool {
	cpus := map[int]bool{}
	for _, e := range all {
		if pair, ok := e.pair(); ok && e.file == f {
			cpus[pair.From], cpus[pair.To] = true, true
		}
	}
	return len(cpus) < LeastCPUs
}

// Bars shows the results of pairs of few processors, key cpus=A,B: a chart for each test of a file, a bar for each
// result, named by its form and the keys in which results of the chart differ.
func Bars(files ...*File) (list []plot.Bars) {
	all := entries(files)
	charts := map[string][]entry{}
	var order []string
	for _, e := range all {
		if _, ok := e.pair(); ok && len(e.units()) > 0 && fewCPUs(all, e.file) {
			title := strings.TrimSpace(e.file.App+" "+e.group()+" "+e.file.in()) + ": " + e.units()[0]
			if charts[title] == nil {
				order = append(order, title)
			}
			charts[title] = append(charts[title], e)
		}
	}
	for _, title := range order {
		list = append(list, bars(title, charts[title]))
	}
	return list
}

func bars(title string, of []entry) plot.Bars {
	unit := of[0].units()[0]
	b := plot.Bars{Title: title}
	common := map[[2]string]int{}
	for _, e := range of {
		for _, k := range e.keys {
			common[k]++
		}
	}
	var forms []string
	for _, e := range of {
		if !slices.Contains(forms, e.form()) {
			forms = append(forms, e.form())
		}
		name := e.form()
		for _, k := range e.keys {
			if common[k] < len(of) {
				name += " " + k[0] + "=" + k[1]
			}
		}
		m := e.whole.Metrics.Summary(unit)
		b.Rows = append(b.Rows, plot.Bar{
			Name: name, Kind: slices.Index(forms, e.form()), Value: m.Median, Lo: m.Lo, Hi: m.Hi, Text: report.Short(m.Median),
		})
	}
	return b
}
