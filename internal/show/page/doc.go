// Package page writes saved results as one HTML page that needs nothing else: no network and no fonts of its own; it
// can be read without its script.
//
//	d, err := report.Read("run.json")
//	p, err := page.New(page.File{Path: "run.json", Document: d})
//	err = p.Write(file)
//
// The page has every result's name, its median and the interval of the median as text; results of one operation are
// beside each other. Package chart finds the curves and heat maps. Of several files of one app, the others are compared
// with the first, by package compare.
//
// All contents of a file are text on the page: html/template escapes it, and the page forbids itself to load anything.
package page
