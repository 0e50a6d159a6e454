package pgas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/plot"
)

// quantity is what the panels of a class of tests show.
type quantity struct {
	name, unit string
	of         func(*row) bench.Summary
}

func quantityOf(c class) quantity {
	switch c {
	case bandwidth, strided:
		return quantity{"bandwidth", "2^20 bytes/s", func(x *row) bench.Summary { return x.series.Metrics.Summary("MB/s") }}
	}
	return quantity{"time of an iteration", "ns", (*row).times}
}

// draw writes a picture of the rows that have a size, a panel a test.
func (r *run) draw(w io.Writer, partial bool) error {
	figure := plot.Figure{Title: fmt.Sprintf("%s, %d PEs; bars: 95 %% interval of the median", name, r.bed.Pool.Threads())}
	if partial {
		figure.Title += ", partial"
	}
	for c := latency; c <= reduction; c++ {
		q := quantityOf(c)
		rows := slices.DeleteFunc(r.ordered(c), func(x *row) bool { return x.bytes == 0 || !(q.of(x).Median > 0) })
		for from, to := 0, 0; from < len(rows); from = to { // rows of a test are side by side
			test := rows[from].test
			for to < len(rows) && rows[to].test == test {
				to++
			}
			x, place := along(rows[from:to])
			figure.Panels = append(figure.Panels, plot.Panel{
				Title: test, X: x, Y: plot.Axis{Name: q.name, Unit: q.unit}, Series: curves(rows[from:to], q, place),
			})
		}
	}
	if len(figure.Panels) == 0 {
		figure.Panels = []plot.Panel{{Title: "nothing that has a size was measured"}}
	}
	return plot.Curves(w, figure)
}

// curves returns a curve for each form and settings of a test.
func curves(rows []*row, q quantity, place place) []plot.Series {
	var list []plot.Series
	for _, x := range rows {
		name, at := place(x)
		i := slices.IndexFunc(list, func(s plot.Series) bool { return s.Name == name })
		if i < 0 {
			i = len(list)
			list = append(list, plot.Series{Name: name})
		}
		s := q.of(x)
		list[i].Points = append(list[i].Points, plot.Point{X: at, Y: s.Median, Lo: s.Lo, Hi: s.Hi})
	}
	return list
}

// A place is the name of the curve that a row is a point of, and where it lies along the horizontal axis.
type place func(*row) (curve string, at float64)

// along returns the horizontal axis of a test: sizes, or strides if there are more of those.
func along(rows []*row) (plot.Axis, place) {
	bytes, strides := map[int]bool{}, map[int]bool{}
	for _, x := range rows {
		bytes[x.bytes], strides[x.stride] = true, true
	}
	if len(strides) > len(bytes) {
		return plot.Axis{Name: "stride", Unit: "elements", Sizes: true}, func(x *row) (string, float64) {
			k := x.key
			k.stride = 1
			return k.untitled(), float64(x.stride)
		}
	}
	return plot.Axis{Name: "size", Unit: "bytes", Sizes: true}, func(x *row) (string, float64) {
		k := x.key
		k.bytes = 0
		return k.untitled(), float64(x.bytes)
	}
}

// untitled names a key below the title of its test.
func (k key) untitled() string { return strings.TrimPrefix(k.String(), k.test+" ") }
