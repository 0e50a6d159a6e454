package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// A section is what files of one stem hold: STEM.json, STEM-ANYTHING.json, or what Go's benchmarks print in STEM.txt.
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

// A source is the run that some rows of a section are of.
type source struct {
	Section    string `json:"section"`
	Command    string `json:"command"`
	Conditions string `json:"conditions"`
	Busy       string `json:"busy,omitempty"`
}

// page is all that was measured.
type page struct {
	Date     string   `json:"date"`
	CPU      string   `json:"cpu"`
	System   string   `json:"system"`
	Go       string   `json:"go"`
	Commit   string   `json:"commit"`
	Versions []string `json:"versions"` // of other runtimes
	Sources  []source `json:"sources"`
	Rows     []row    `json:"-"` // a line each, behind the rest
}

// gather reads all files of a folder, and what its files date and commit say.
func gather(dir string) (*page, error) {
	p := &page{}
	for name, to := range map[string]*string{"date": &p.Date, "commit": &p.Commit} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		*to = strings.TrimSpace(string(text))
	}
	for _, s := range sections {
		files, _ := filepath.Glob(filepath.Join(dir, s.stem+"*"))
		slices.Sort(files)
		for _, file := range files {
			err := p.read(s, file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	if len(p.Rows) == 0 {
		return nil, fmt.Errorf("%s: no results", dir)
	}
	return p, nil
}

func (p *page) read(s section, file string) error {
	d, err := report.Read(file)
	if err != nil {
		return err
	}
	p.CPU, p.Go = d.Machine.CPU, d.Build.Go
	p.System = fmt.Sprintf("%d cores, kernel %s", d.Machine.Cores, d.Machine.Kernel)
	command, _, _ := strings.Cut(filepath.Base(d.Argv[0])+" "+strings.Join(d.Argv[1:], " "), " --quiet")
	p.Sources = append(p.Sources, source{s.stem, command, d.Conditions.String(), busy(d)})
	for _, note := range d.Warnings {
		if about, ok := strings.CutPrefix(note, "peer: "); ok && !slices.Contains(p.Versions, about) {
			p.Versions = append(p.Versions, about)
		}
	}
	for _, r := range d.Results {
		unit := cmp.Or(s.unit, r.Metrics[0].Unit)
		sum := r.Metrics.Summary(unit)
		if sum.N > 0 {
			p.add(s, r, d.Config.Text("workers"), unit, sum)
		}
	}
	return nil
}

var counted = regexp.MustCompile(`/(workers|pes)=(\d+)|/cpus=[\d,]+|/peer=([^/]+)`)

func (p *page) add(s section, r report.Result, workers, unit string, sum bench.Summary) {
	out := row{Section: s.stem, Does: text(r.Labels.Text("does")), Unit: unit,
		Median: sum.Median, Lo: sum.Lo, Hi: sum.Hi, N: sum.N}
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
	p.Rows = append(p.Rows, out)
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
	if err != nil {
		return nil, err
	}
	out := append(head[:len(head)-2], ",\n \"rows\": [\n"...)
	for k, r := range p.Rows {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), ",\n"[min(k/(len(p.Rows)-1), 1):]...)
	}
	return append(out, " ]\n}\n"...), nil
}
