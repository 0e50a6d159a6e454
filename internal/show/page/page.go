package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"ocr/internal/show/chart"
	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

//go:embed page.html
var layout string

//go:embed page.css
var style string

//go:embed page.js
var script string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"short":   short,
	"count":   report.Count,
	"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	"svg":     func(d picture.Drawing) template.HTML { return template.HTML(d.HTML()) },
}).Parse(layout))

// Page is the page of some files: the data of the template.
type Page struct {
	Title  string
	Style  template.CSS
	Script template.JS
	Count  int // of results
	Runs   []*run
}

// A run is what the page shows of a file.
type run struct {
	*report.Document
	Part     int // number of the run's part of the page, from 1
	Command  string
	Pictures []picture.Drawing
	Groups   []*group
	Printed  string // tables of the suite's own text; "" for the usual text
	Spent    string // the text of its statistics
}

// leastPoints is the least number of points of a curve that is shown.
const leastPoints = 3

// New makes the page of documents. If a document has no results, the error names its path.
func New(documents ...*report.Document) (*Page, error) {
	p := &Page{Style: template.CSS(style), Script: template.JS(script)}
	var apps []string
	for i, d := range documents {
		if err := d.Empty(); err != nil {
			return nil, fmt.Errorf("%s: %w", report.Plain(d.Path), err)
		}
		figure := picture.Figure{Curves: chart.Curves(leastPoints, d), Maps: chart.Maps(d)}
		r := &run{
			Document: d, Part: i + 1, Command: strings.Join(d.Argv, " "), Pictures: figure.Drawings(),
			Groups: groups(d), Spent: report.Sections(d.StatsText, report.Width),
		}
		if d.Text != nil {
			r.Printed = report.Sections(d.Text.Sections, report.Width)
		}
		p.Runs = append(p.Runs, r)
		p.Count += len(d.Results)
		if !slices.Contains(apps, d.App) {
			apps = append(apps, d.App)
		}
	}
	p.Title = strings.Join(apps, ", ")
	return p, nil
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
