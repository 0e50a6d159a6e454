// Package page writes saved results as one HTML page that needs nothing else: no network, no fonts of its own, and its
// script may be left out.
//
//	d, err := report.Read("run.json")
//	p, err := page.New(page.File{Path: "run.json", Document: d})
//	err = p.Write(file)
//
// Every result's name, its median and the interval of the median are text on the page, those of one operation beside
// each other. Package chart finds the curves and heat maps. Of several files of one app the first is what the others
// are compared with, by package compare.
//
// What the files say is text to the page, whatever it is: html/template escapes it, and the page forbids itself to load
// anything.
package page
