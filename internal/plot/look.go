package plot

import (
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The looks of series. Their counts have no common divisor, so that looks repeat
// late only. The colours are Okabe and Ito's, chosen for colour-blind readers,
// without the yellow, which is faint on white.
var (
	colors = []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0x00, 0x00, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
	}
	dashes = [][]vg.Length{nil, {5, 2}, {1.5, 2}, {7, 2, 1.5, 2}, {9, 3}}
	shapes = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{},
	}
)

// look returns the line and the marks of a panel's i-th series, without points.
func look(i int) (*plotter.Line, *plotter.Scatter) {
	stroke := draw.LineStyle{Color: colors[i%len(colors)], Width: 1.2, Dashes: dashes[i%len(dashes)]}
	mark := draw.GlyphStyle{Color: colors[i%len(colors)], Radius: 2.5, Shape: shapes[i%len(shapes)]}
	return &plotter.Line{LineStyle: stroke}, &plotter.Scatter{GlyphStyle: mark}
}
