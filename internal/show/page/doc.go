// Package page writes saved results as one HTML page that needs no network and no fonts of its own. The page can be
// read without its script.
//
//	d, err := report.Read("run.json")
//	p, err := page.New(d)
//	err = p.Write(file)
//
// The page shows one file after the other: what ran, its curves and heat maps, as package chart finds them, then every
// result's name, its median and the interval of the median as text; results of one operation are beside each other.
// Package compare says what differs between two files.
//
// All contents of a file are text on the page: html/template escapes them. The page's policy forbids to load anything.
package page
