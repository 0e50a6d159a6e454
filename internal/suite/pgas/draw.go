package pgas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"ocr/internal/plot"
)

// panel is a part of the picture: which rows it shows, and by which figures.
type panel struct {
	title, unit string
	shows       func(*row) bool
	y           func(*row) float64
}

var panels = []panel{
	{"bandwidth, one way", "2^20 bytes/s", oneWay, sampledRate},
	{"bandwidth, both ways and random, of one PE", "2^20 bytes/s", func(x *row) bool { return of(bandwidth)(x) && !oneWay(x) }, sampledRate},
	{"bandwidth, strided", "2^20 bytes/s", of(strided), sampledRate},
	{"latency of an iteration", "ns", func(x *row) bool { return of(latency)(x) && x.bytes > 0 }, (*row).typical},
	{"time of a put or get, one way", "ns", oneWay, (*row).typical},
	{"time of a reduction", "ns", of(reduction), (*row).typical},
}

func sampledRate(x *row) float64 { return x.series.Metrics.Summary("MB/s").Median }

func of(c class) func(*row) bool { return func(x *row) bool { return classOf(x.about()) == c } }

func oneWay(x *row) bool { return of(bandwidth)(x) && !x.about().Everyone }

// draw writes a picture of the rows that have a size. Panels without rows are left out.
func (r *run) draw(w io.Writer, partial bool) error {
	figure := plot.Figure{Title: fmt.Sprintf("%s, %d PEs", name, r.bed.Pool.Workers)}
	if partial {
		figure.Title += ", partial"
	}
	for _, p := range panels {
		x := plot.Axis{Name: "size", Unit: "bytes", Sizes: true}
		if strings.HasSuffix(p.title, "strided") {
			x = plot.Axis{Name: "stride", Unit: "elements", Sizes: true}
		}
		quantity, _, _ := strings.Cut(p.title, ",")
		if series := p.series(r); len(series) > 0 {
			figure.Panels = append(figure.Panels, plot.Panel{Title: p.title, X: x, Y: plot.Axis{Name: quantity, Unit: p.unit}, Series: series})
		}
	}
	if len(figure.Panels) == 0 {
		figure.Panels = []plot.Panel{{Title: "nothing that has a size was measured"}}
	}
	return plot.Curves(w, figure)
}

// series returns a curve for each test, form and settings.
func (p *panel) series(r *run) []plot.Series {
	var list []plot.Series
	for c := latency; c <= reduction; c++ {
		for _, x := range r.ordered(c) {
			if !p.shows(x) || !(p.y(x) > 0) {
				continue
			}
			name, at := curve(x)
			i := slices.IndexFunc(list, func(s plot.Series) bool { return s.Name == name })
			if i < 0 {
				i = len(list)
				list = append(list, plot.Series{Name: name})
			}
			list[i].Points = append(list[i].Points, plot.Point{X: at, Y: p.y(x)})
		}
	}
	return list
}

// curve returns the name of the curve that a row is a point of, and its place along the
// horizontal axis: its size, or its stride if it is strided.
func curve(x *row) (name string, at float64) {
	k, n := x.key, x.bytes
	if of(strided)(x) {
		k.stride, n = 1, x.stride
	} else {
		k.bytes = 0
	}
	return k.String(), float64(n)
}
