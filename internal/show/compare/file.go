package compare

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/show/report"
)

// noteBusy begins the note of a file that was made while others used the processors.
const noteBusy = "was made on a busy machine: "

// File is what a result file says, or several of one binary.
type File struct {
	Path       string
	Facts      []report.Fact
	Notes      []string // why its figures should be read with care; each begins with a verb
	Conditions *machine.Conditions
	Series     []Series // in the order of the file
}

// Series are the samples of one unit of one result.
type Series struct {
	Name    string
	Unit    string
	Better  report.Better
	Samples []float64 // finite, at least one
	// Restates says that a unit before this one, of the same result, says the same thing.
	Restates bool
	Peer     bool // of plain Go, C or another runtime, not of this project
	Paired   bool // each sample was taken beside the one of the same index of the other file
}

func (s Series) metric() bench.Metric { return bench.Metric{Unit: s.Unit, Samples: s.Samples} }

// Parse reads the contents of a file.
func Parse(path string, data []byte) (*File, error) {
	d, err := report.Parse(data)
	if err != nil {
		return nil, err
	}
	return Of(path, d)
}

// Of returns what a document says that was read from a file. The error is one line that says what is wrong with the
// file, without its name.
func Of(path string, d *report.Document) (*File, error) {
	f := &File{Path: strings.Join(strings.Fields(path), " "), Facts: d.Facts(), Conditions: d.Conditions}
	if d.Partial {
		f.Notes = append(f.Notes, "is partial: the run was interrupted")
	}
	if !d.Verified {
		f.Notes = append(f.Notes, "is not verified: results were not checked, or not right")
	}
	if why := d.Conditions.Busy(); why != "" {
		f.Notes = append(f.Notes, noteBusy+why)
	}
	f.add(d.Results)
	if len(f.Series) == 0 {
		why := ""
		if d.Partial {
			why = ": the run was interrupted"
		}
		return nil, errors.New("has no results" + why)
	}
	return f, nil
}

// add appends the series of results. A name that is there again gets a number.
func (f *File) add(results []report.Result) {
	seen := map[string]int{}
	for _, r := range results {
		name := r.Name
		if seen[r.Name]++; seen[r.Name] > 1 {
			name += "#" + strconv.Itoa(seen[r.Name])
		}
		for k, m := range r.Metrics {
			s := Series{Name: name, Unit: m.Unit, Better: report.BetterOf(m.Unit), Samples: m.Samples, Peer: isPeer(r.Name)}
			s.Restates = slices.ContainsFunc(r.Metrics[:k],
				func(earlier bench.Metric) bool { return report.Restates(m, earlier) })
			f.Series = append(f.Series, s)
		}
	}
}

// peers are the parts of the name of a result of plain Go, of C, or of another
// library, measured beside the project's own.
var peers = []string{"serial", "goroutines", "c", "floor", "peak", "copy", "mpi"}

// isPeer looks at the parts behind the first, which is the app's own name.
func isPeer(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/")[1:], func(part string) bool {
		return slices.Contains(peers, part) || strings.HasPrefix(part, "goroutines-") || strings.HasPrefix(part, "peer=")
	})
}
