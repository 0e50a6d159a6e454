// Package plot draws measurements as SVG, as a file or for a page of HTML: the core-to-core matrices of a machine as
// heat maps, and figures against sizes or settings as curves.
//
//	err := plot.Curves(file, plot.Figure{Title: "core to core", Maps: []*matrix.Matrix{single, dual}})
//
//	err := plot.Curves(file, plot.Figure{
//		Title: "put",
//		Panels: []plot.Panel{{
//			X:      plot.Axis{Name: "size (B)", Sizes: true},
//			Y:      plot.Axis{Name: "bandwidth (MiB/s)"},
//			Series: []plot.Series{{Name: "direct", Points: points}},
//		}},
//	})
//
// The same input gives the same bytes. Every function may be called from any goroutine.
package plot
