package picture

import "fmt"

// Intervals are figures on one axis from zero: each a name, below it a bar as long as the value, and its interval.
type Intervals struct {
	Title string
	Rows  []Interval
}

// An Interval is one figure.
type Interval struct {
	Name          string
	Value, Lo, Hi float64
	Text          string // the value as written
}

func (v Intervals) drawing() Drawing {
	const down, thick, textRoom = 36.0, 12.0, 70.0
	x := scale{from: 0, to: curvesWidth - textRoom}
	for _, r := range v.Rows {
		x.high = max(x.high, r.Value, r.Hi)
	}
	return Drawing{v.Title, "intervals", curvesWidth, down * float64(len(v.Rows)), func(c *canvas) {
		for i, r := range v.Rows {
			top := down * float64(i)
			middle, end := top+16+thick/2, x.at(max(r.Value, r.Hi))
			c.text(0, top+fontSize, `font-size="12"`, r.Name)
			c.group(color(i), func() {
				c.line(fmt.Sprintf(`class="bar" stroke-width="%g" stroke-opacity="0.6"`, thick), 0, middle, x.at(r.Value), middle)
				c.line(`class="interval" stroke-width="2"`, x.at(r.Lo), middle, x.at(r.Hi), middle)
			})
			c.text(end+5, middle+4, `font-size="12"`, r.Text)
		}
	}}
}
