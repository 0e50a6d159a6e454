package main

import (
	"fmt"
	"io"
	"strings"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/plot"
)

// pgasPanel is a panel of the picture: which rows it shows, and by which figures.
type pgasPanel struct {
	title, unit string
	shows       func(*pgasRow) bool
	x           func(*pgasRow) float64
	y           func(*pgasRow) float64
	strides     bool // along the horizontal axis, in place of sizes
}

func pgasPanels() []pgasPanel {
	size := func(row *pgasRow) float64 { return float64(row.bytes) }
	rate := func(row *pgasRow) float64 { return row.median("MB/s") }
	time := (*pgasRow).typical
	contiguous := func(row *pgasRow) bool { return classOf(row.suiteTest()) == bandwidthClass }
	oneWay := func(row *pgasRow) bool {
		return contiguous(row) && !row.suiteTest().Everyone
	}
	panel := func(title, unit string, y func(*pgasRow) float64, shows func(*pgasRow) bool) pgasPanel {
		return pgasPanel{title: title, unit: unit, shows: shows, x: size, y: y}
	}
	return []pgasPanel{
		panel("bandwidth, one way", "2^20 bytes/s", rate, oneWay),
		panel("bandwidth, both ways and random, of one PE", "2^20 bytes/s", rate, func(row *pgasRow) bool { return contiguous(row) && !oneWay(row) }),
		{
			title: "bandwidth, strided", unit: "2^20 bytes/s", strides: true, y: rate,
			x:     func(row *pgasRow) float64 { return float64(row.stride) },
			shows: func(row *pgasRow) bool { return classOf(row.suiteTest()) == stridedClass },
		},
		panel("latency of an iteration", "ns", time, func(row *pgasRow) bool { return row.suiteTest().Kind == pgasapp.Latency && row.bytes > 0 }),
		panel("time of a put or get, one way", "ns", time, oneWay),
		panel("time of a reduction", "ns", time, func(row *pgasRow) bool { return row.suiteTest().Kind == pgasapp.Reduction }),
	}
}

// draw writes a picture of the rows that have a size. Panels without rows are left out.
func (r *pgasRun) draw(w io.Writer, partial bool) error {
	title := fmt.Sprintf("%s, %d PEs", pgasName, r.workers.Workers)
	if partial {
		title += ", partial"
	}
	figure := plot.Figure{Title: title}
	for _, p := range pgasPanels() {
		series := p.series(r)
		if len(series) == 0 {
			continue
		}
		x := plot.Axis{Name: "size", Unit: "bytes", Sizes: true}
		if p.strides {
			x = plot.Axis{Name: "stride", Unit: "elements", Sizes: true}
		}
		quantity, _, _ := strings.Cut(p.title, ",")
		figure.Panels = append(figure.Panels, plot.Panel{
			Title: p.title, X: x, Y: plot.Axis{Name: quantity, Unit: p.unit}, Series: series,
		})
	}
	if len(figure.Panels) == 0 {
		figure.Panels = []plot.Panel{{Title: "nothing that has a size was measured"}}
	}
	return plot.Curves(w, figure)
}

// series returns a curve for each test, form and settings.
func (p *pgasPanel) series(r *pgasRun) []plot.Series {
	var list []plot.Series
	index := map[string]int{}
	for class := latencyClass; class <= reductionClass; class++ {
		for _, row := range r.ordered(class) {
			if !p.shows(row) || !(p.y(row) > 0) {
				continue
			}
			name := p.curve(row)
			i, ok := index[name]
			if !ok {
				i = len(list)
				index[name] = i
				list = append(list, plot.Series{Name: name})
			}
			list[i].Points = append(list[i].Points, plot.Point{X: p.x(row), Y: p.y(row)})
		}
	}
	return list
}

// curve names what a row is a point of.
func (p *pgasPanel) curve(row *pgasRow) string {
	k := row.pgasKey
	if p.strides {
		k.stride = 1
		return k.spelled()
	}
	size := " " + formatBytes(row.bytes)
	return strings.Replace(k.spelled(), size, "", 1)
}
