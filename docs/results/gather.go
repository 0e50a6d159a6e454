package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/show/report"
)

// A section is what files of one stem hold: STEM.json, STEM-ANYTHING.json.
type section struct {
	stem, title string
	unit        string // results without it are left out; empty: the first unit of each
}

var sections = []section{
	{"peers", "Beside other runtimes", "ns/op"},
	{"overhead", "Operations", "ns/op"},
	{"synch_p2p", "synch_p2p", ""},
	{"metg", "METG(50 %)", "metg50-ns"},
	{"gallery", "The gallery, relative to goroutines for each worker", "ratio/pool"},
	{"c2c", "Core to core", "ns/oneway"},
	{"pgas", "PGAS", ""},
}

// A row is one result: a line of docs/results.json.
type row struct {
	Section string  `json:"section"`
	Name    string  `json:"name"` // without peer and workers
	Peer    string  `json:"peer,omitempty"`
	Does    string  `json:"does,omitempty"`
	Workers int     `json:"workers"`
	Unit    string  `json:"unit"`
	Median  float64 `json:"median"`
	Lo      float64 `json:"lo"` // 95 % interval of the median
	Hi      float64 `json:"hi"`
	N       int     `json:"n"`
}

// A source is the run from which some rows of a section come.
type source struct {
	Section string `json:"section"`
	Command string `json:"command"`
	Busy    string `json:"busy,omitempty"`
}

// page is all that was measured.
type page struct {
	Date     string   `json:"date"`
	Machine  string   `json:"machine"`
	Commit   string   `json:"commit"`
	Versions []string `json:"versions"` // of other runtimes
	Sources  []source `json:"sources"`
	Rows     []row    `json:"-"` // a line each, behind the rest
}

// gather reads all files of a folder.
func gather(dir string) (*page, error) {
	p := &page{}
	for _, s := range sections {
		files, _ := filepath.Glob(filepath.Join(dir, s.stem+"*")) // sorted
		for _, file := range files {
			d, err := report.Read(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			p.add(s, d)
		}
	}
	if len(p.Rows) == 0 {
		return nil, fmt.Errorf("%s: no results", dir)
	}
	return p, nil
}

// add adds the results of a document.
func (p *page) add(s section, d *report.Document) {
	p.Machine = fmt.Sprintf("%s, %d cores, kernel %s, %s", d.Machine.CPU, d.Machine.Cores, d.Machine.Kernel, d.Build.Go)
	p.Date, p.Commit = d.Date, d.Build.Commit[:min(8, len(d.Build.Commit))]
	command, _, _ := strings.Cut(filepath.Base(d.Argv[0])+" "+strings.Join(d.Argv[1:], " "), " --quiet")
	p.Sources = append(p.Sources, source{s.stem, command, d.Conditions.Busy()})
	for _, note := range d.Notes() {
		if about, ok := strings.CutPrefix(note, "peer: "); ok && !slices.Contains(p.Versions, about) {
			p.Versions = append(p.Versions, about)
		}
	}
	for _, r := range d.Results {
		unit := cmp.Or(s.unit, r.Metrics[0].Unit)
		if sum := r.Metrics.Summary(unit); sum.N > 0 {
			out := named(s, r, d.Config.Text("workers"))
			out.Unit, out.Median, out.Lo, out.Hi, out.N = unit, sum.Median, sum.Lo, sum.Hi, sum.N
			p.Rows = append(p.Rows, out)
		}
	}
}

var counted = regexp.MustCompile(`/(workers|pes)=(\d+)|/cpus=[\d,]+|/peer=([^/]+)`)

// named returns a row with a result's name, and with the parts of the name.
func named(s section, r report.Result, workers string) row {
	out := row{Section: s.stem, Does: text(r.Labels.Text("does"))}
	for _, m := range counted.FindAllStringSubmatch(r.Name, -1) {
		workers, out.Peer = cmp.Or(m[2], workers), cmp.Or(m[3], out.Peer)
	}
	out.Workers, _ = strconv.Atoi(workers)
	out.Name = counted.ReplaceAllString(r.Name, "")
	switch s.stem {
	case "peers", "overhead": // the app is in the title
		_, out.Name, _ = strings.Cut(out.Name, "/")
	case "metg": // names leave out a width that is usual for so many workers
		out.Name = text(r.Labels.Text("type")) + "/" + text(r.Labels.Text("form"))
	}
	return out
}

// text is a label's string: labels that were read are JSON.
func text(label string) string {
	if s, err := strconv.Unquote(label); err == nil {
		return s
	}
	return label
}

// json is the page with a line for each row.
func (p *page) json() ([]byte, error) {
	head, err := json.MarshalIndent(p, "", " ")
	lines := make([][]byte, len(p.Rows))
	for k := 0; k < len(lines) && err == nil; k++ {
		lines[k], err = json.Marshal(p.Rows[k])
	}
	return fmt.Appendf(nil, "%s,\n \"rows\": [\n%s\n ]\n}\n", bytes.TrimSuffix(head, []byte("\n}")),
		bytes.Join(lines, []byte(",\n"))), err
}
