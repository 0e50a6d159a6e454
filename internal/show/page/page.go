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
	"ocr/internal/show/compare"
	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// File is a document and its path.
type File struct {
	Path     string
	Document *report.Document
}

// alpha is the level of significance of all differences between two files together.
const alpha = 0.05

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

// view is the data of the template.
type view struct {
	Title       string
	Style       template.CSS
	Script      template.JS
	Files       []*fileView
	Comparisons []*comparison
	Pictures    []picture.Drawing
	Count       int // of results
	Groups      []*group
	Facts       []report.SharedFact
}

// Many reports whether there are several files, which marks distinguish.
func (v *view) Many() bool { return len(v.Files) > 1 }

// fileView is what the page shows of a file besides its figures.
type fileView struct {
	mark
	*compare.File
	Command string
	Long    bool // the sections of the text are folded: they have many rows
}

// mark distinguishes a file: a letter and a colour.
type mark struct {
	Letter string
	Color  int // 0 to colors-1
}

// leastPoints is the least number of points of a curve that is shown.
const leastPoints = 3

// colors is the number of colours in the style sheet.
const colors = 8

// comparison compares a file with the first of its app.
type comparison struct {
	Old, New *fileView
	*compare.Comparison
}

// Page is the page of some files.
type Page struct{ view }

// New makes the page of files. The error, of a file without results, has its path.
func New(files ...File) (*Page, error) {
	v := view{Style: template.CSS(style), Script: template.JS(script)}
	for i, f := range files {
		shown, err := newFileView(i, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", report.Plain(f.Path), err)
		}
		v.Files = append(v.Files, shown)
	}
	for i, f := range v.Files {
		first := slices.IndexFunc(v.Files, func(other *fileView) bool { return other.App == f.App })
		if first < i {
			found := compare.Compare(v.Files[first].File, f.File, compare.Options{Alpha: alpha, FailOver: -1})
			v.Comparisons = append(v.Comparisons, &comparison{v.Files[first], f, found})
		}
	}
	v.Title = title(v.Files)
	found := results(v.Files)
	v.Count, v.Groups = len(found), groups(v.Files, found)
	v.Pictures = pictures(v.Files)
	v.Facts = report.FactsOf(documents(v.Files)...)
	return &Page{v}, nil
}

// pictures draws the curves and heat maps of all files.
func pictures(files []*fileView) []picture.Drawing {
	var charted []*chart.File
	for _, f := range files {
		c := &chart.File{Document: f.Document}
		if len(files) > 1 {
			c.Letter = f.Letter
		}
		charted = append(charted, c)
	}
	return picture.Figure{Curves: chart.Curves(leastPoints, charted...), Maps: chart.Maps(charted...)}.Drawings()
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &p.view); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// title names the apps.
func title(files []*fileView) string {
	var apps []string
	for _, f := range files {
		if !slices.Contains(apps, f.App) {
			apps = append(apps, f.App)
		}
	}
	return strings.Join(apps, ", ")
}

// manyRows is the number of rows from which tables of text are folded.
const manyRows = 30

func newFileView(i int, f File) (*fileView, error) {
	d := f.Document
	file, err := compare.Of(f.Path, d)
	if err != nil {
		return nil, err
	}
	v := &fileView{mark: mark{letter(i), i % colors}, File: file, Command: strings.Join(d.Argv, " ")}
	if d.Text != nil {
		rows := 0
		for _, s := range d.Text.Sections {
			rows += len(s.Table.Rows) + strings.Count(s.Body, "\n")
		}
		v.Long = rows > manyRows
	}
	return v, nil
}

// letter names the i-th file: A to Z, then A1 and so on.
func letter(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += fmt.Sprint(i / 26)
	}
	return name
}

func documents(files []*fileView) (list []*report.Document) {
	for _, f := range files {
		list = append(list, f.Document)
	}
	return list
}
