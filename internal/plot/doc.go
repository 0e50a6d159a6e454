// Package plot draws measurements as SVG: the core-to-core matrices of a machine
// as heat maps, and figures against sizes as curves on logarithmic axes, or on axes
// from zero.
//
//	err := plot.Curves(file, plot.Figure{Title: "core to core", Maps: []*matrix.Matrix{single, dual}})
//
//	err := plot.Curves(file, plot.Figure{
//		Title: "put",
//		Panels: []plot.Panel{{
//			X:      plot.Axis{Name: "size", Unit: "B", Sizes: true},
//			Y:      plot.Axis{Name: "bandwidth", Unit: "MiB/s"},
//			Series: []plot.Series{{Name: "direct", Points: points}},
//		}},
//	})
//
// The drawing is gonum.org/v1/plot's. What it would panic at is refused with an
// error before anything is written. The same input gives the same bytes.
//
// Every function may be called from any goroutine.
package plot
