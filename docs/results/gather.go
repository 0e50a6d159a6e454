package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/show/report"
)

// A page is all that was measured, as docs/results.json has it.
type page struct {
	Date, Machine, Commit string
	Busy                  string     `json:",omitempty"` // what disturbed a measurement
	Versions              []string   // versions of other runtimes
	Sections              []*section // without those that have no results
}

// A section is what files of one stem hold: STEM.json, STEM-ANYTHING.json.
type section struct {
	stem     string
	unit     string // results without it are left out; "": the first unit of each result
	Title    string
	Commands []string
	Rows     []*row
}

// A row is the results that differ in the number of workers only.
type row struct {
	Name string // without peer and workers
	Peer string `json:",omitempty"`
	Does string `json:",omitempty"`
	Unit string
	By   map[int]figure // by the number of workers
}

// A figure is a median, its 95 % interval, and the number of samples.
type figure struct {
	Median, Lo, Hi float64
	N              int
}

func sections() []*section {
	return []*section{
		{stem: "peers", unit: "ns/op", Title: "Beside other runtimes"},
		{stem: "overhead", unit: "ns/op", Title: "Operations"},
		{stem: "synch_p2p", Title: "synch_p2p"},
		{stem: "metg", unit: "metg50-ns", Title: "METG(50 %)"},
		{stem: "gallery", unit: "ratio/pool", Title: "The gallery, relative to goroutines for each worker"},
		{stem: "c2c", unit: "ns/oneway", Title: "Core to core"},
		{stem: "pgas", Title: "PGAS"},
	}
}

// gather reads the result files of a folder: those whose names begin with the stem of a section.
func gather(dir string) (*page, error) {
	p := &page{}
	for _, s := range sections() {
		files, _ := filepath.Glob(filepath.Join(dir, s.stem+"*")) // sorted
		for _, file := range files {
			d, err := report.Read(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			p.about(d)
			s.add(d)
		}
		if len(s.Rows) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	if len(p.Sections) == 0 {
		return nil, fmt.Errorf("%s: no results", dir)
	}
	return p, nil
}

// about notes where and when a document was measured.
func (p *page) about(d *report.Document) {
	p.Machine = fmt.Sprintf("%s, %d cores, kernel %s, %s", d.Machine.CPU, d.Machine.Cores, d.Machine.Kernel, d.Build.Go)
	p.Date, p.Commit = d.Date, d.Build.Commit[:min(8, len(d.Build.Commit))]
	p.Busy = cmp.Or(p.Busy, d.Conditions.Busy())
	for _, note := range d.Notes() {
		if about, ok := strings.CutPrefix(note, "peer: "); ok && !slices.Contains(p.Versions, about) {
			p.Versions = append(p.Versions, about)
		}
	}
}

// add adds the results of a document.
func (s *section) add(d *report.Document) {
	command, _, _ := strings.Cut(filepath.Base(d.Argv[0])+" "+strings.Join(d.Argv[1:], " "), " --quiet")
	s.Commands = append(s.Commands, command)
	for _, r := range d.Results {
		found, workers := s.named(r, d.Config.Text("workers"))
		found.Unit = cmp.Or(s.unit, r.Metrics[0].Unit)
		sum := r.Metrics.Summary(found.Unit)
		if sum.N == 0 {
			continue
		}
		at := slices.IndexFunc(s.Rows, func(o *row) bool {
			return o.Name == found.Name && o.Peer == found.Peer && o.Unit == found.Unit
		})
		if at < 0 {
			s.Rows, at = append(s.Rows, found), len(s.Rows)
		}
		s.Rows[at].By[workers] = figure{sum.Median, sum.Lo, sum.Hi, sum.N}
	}
}

var counted = regexp.MustCompile(`/(workers|pes)=(\d+)|/cpus=[\d,]+|/peer=([^/]+)`)

// named returns a row with the parts of a result's name, and the number of workers, by default inConfig.
func (s *section) named(r report.Result, inConfig string) (*row, int) {
	out := &row{Name: counted.ReplaceAllString(r.Name, ""), Does: text(r.Labels.Text("does")), By: map[int]figure{}}
	for _, m := range counted.FindAllStringSubmatch(r.Name, -1) {
		inConfig, out.Peer = cmp.Or(m[2], inConfig), cmp.Or(m[3], out.Peer)
	}
	switch s.stem {
	case "peers", "overhead": // the app is in the title
		_, out.Name, _ = strings.Cut(out.Name, "/")
	case "metg": // names leave out a width that is usual for so many workers
		out.Name = text(r.Labels.Text("type")) + "/" + text(r.Labels.Text("form"))
	}
	workers, _ := strconv.Atoi(inConfig)
	return out, workers
}

// text is a label's string: labels that were read are JSON.
func text(label string) string {
	if s, err := strconv.Unquote(label); err == nil {
		return s
	}
	return label
}
