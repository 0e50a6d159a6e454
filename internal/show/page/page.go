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

// File is a document and its path.
type File struct {
	Path     string
	Document *report.Document
}

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
	Path     string
	Part     int // of the page, from 1
	Command  string
	Pictures []picture.Drawing
	Groups   []*group
	Long     bool // the sections of the text are folded: they have many rows
}

// leastPoints is the least number of points of a curve that is shown.
const leastPoints = 3

// manyRows is the number of rows from which tables of text are folded.
const manyRows = 30

// New makes the page of files. The error, of a file without results, has its path.
func New(files ...File) (*Page, error) {
	p := &Page{Style: template.CSS(style), Script: template.JS(script)}
	var apps []string
	for i, f := range files {
		d := f.Document
		if err := d.Empty(); err != nil {
			return nil, fmt.Errorf("%s: %w", report.Plain(f.Path), err)
		}
		charted := &chart.File{Document: d}
		figure := picture.Figure{Curves: chart.Curves(leastPoints, d), Maps: charted.Maps()}
		p.Runs = append(p.Runs, &run{
			Document: d, Path: f.Path, Part: i + 1, Command: strings.Join(d.Argv, " "),
			Pictures: figure.Drawings(), Groups: groups(d), Long: rows(d.Text) > manyRows,
		})
		p.Count += len(d.Results)
		if !slices.Contains(apps, d.App) {
			apps = append(apps, d.App)
		}
	}
	p.Title = strings.Join(apps, ", ")
	return p, nil
}

// rows counts the lines of a text; nil has none.
func rows(text *report.Text) (n int) {
	if text == nil {
		return 0
	}
	for _, s := range text.Sections {
		n += len(s.Table.Rows) + strings.Count(s.Body, "\n")
	}
	return n
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
