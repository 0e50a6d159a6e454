package overhead

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ocr/edt"
	"ocr/internal/measure/peers"
	"ocr/runtime"
)

// A Row is one operation to measure.
type Row struct {
	Section    string // title of its table
	Name       string // the operation and, after slashes, its parameters; unique
	What       string // the operation, in a line
	MinWorkers int    // number of workers that the row needs; 0 for 1
	Forms      []Form // the form of this runtime, then the other forms

	// The request to programs of other runtimes; parts is the number of operations of a round.
	parts int
	sum   uint64 // the checksum
	sizes []int
	lanes bool // each worker does all this
}

// A Form is a way to run the operation of a row.
type Form struct {
	Name    string         // without blanks; empty for this runtime's form
	Does    string         // how it works, in three words; empty for plain Go
	Library *peers.Library // library of the form's program; nil if it has none
	bench   string         // of the program

	// Once takes a sample; nil if the program does.
	Once func(ctx context.Context, b *Bench) (Sample, error)
}

// Values of Does, in other runtimes and in this one: forms with the same value are comparable.
const (
	builtOnce  = "graph built once"
	builtEach  = "built each time"
	byHand     = "counters by hand"
	plainLoops = "loop with flags"
	messages   = "loop with messages"
	oneMakes   = "one makes tasks"
	inALoop    = "loop makes tasks"
	nextByLast = "task makes next"
	bothCalls  = "both calls tasks"
	oneInline  = "one call inline"
)

// A Bench is where samples run, and their length.
type Bench struct {
	Workers int
	// Run runs a graph on the bench's workers.
	Run func(ctx context.Context, main edt.Func) (runtime.Counters, error)
	// Program returns the program of another runtime, with a thread for each worker.
	Program func(ctx context.Context, l *peers.Library) (*peers.Program, error)
	Target  time.Duration // least time of the timed part of a sample
	Rounds  int           // if not 0, the timed rounds of a worker, in place of Target: then every run does the same
}

// A Sample is the number of timed operations of all workers, and their time: the sum of the workers' times if each
// works by itself.
type Sample struct {
	Ops     int
	Elapsed time.Duration
}

// row returns a row: the form of this runtime, and the other forms.
func row(name, what string, own Form, beside ...Form) *Row {
	return &Row{Name: name, What: what, Forms: append([]Form{own}, beside...)}
}

func (r *Row) on(workers int) *Row {
	r.MinWorkers = workers
	return r
}

// Rows returns all rows, by section. A row has its own form, then plain Go, then forms with its Does, then the rest.
func Rows() (all []*Row) {
	for _, section := range []struct {
		title string
		rows  []*Row
	}{
		{"calls of the API", callRows()},
		{"data blocks", blockRows()},
		{"chains of EDTs", chainRows()},
		{"graphs", graphRows()},
		{"fork and join", forkJoinRows()},
		{"wavefronts", wavefrontRows()},
		{"programs", programRows()},
		{"between workers", workerRows()},
	} {
		for _, r := range section.rows {
			r.Section = section.title
			order := []string{r.Forms[0].Does, ""}
			slices.SortStableFunc(r.Forms[1:], func(a, b Form) int {
				return slices.Index(order, b.Does) - slices.Index(order, a.Does)
			})
		}
		all = append(all, section.rows...)
	}
	return all
}

// String returns the row's name.
func (r *Row) String() string { return r.Name }

// List lists rows, each with its other forms.
func List(w io.Writer, rows []*Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s", r.Name, r.What)
		for k, f := range r.Forms[1:] {
			fmt.Fprint(t, []string{"; beside ", ", "}[min(k, 1)], f.Name)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Select returns the rows with these names, in their own order; all if there is no name. A name may end before any of
// its slashes: then it stands for all rows that begin so. unknown is the first name that stands for none.
func Select(names []string) (rows []*Row, unknown string) {
	rows = Rows()
	for _, name := range names {
		if !slices.ContainsFunc(rows, func(r *Row) bool { return r.isNamed(name) }) {
			return nil, name
		}
	}
	return slices.DeleteFunc(rows, func(r *Row) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, r.isNamed)
	}), ""
}

func (r *Row) isNamed(name string) bool { return strings.HasPrefix(r.Name+"/", name+"/") }

// Operations returns the operations of all rows, each once.
func Operations() (names []string) {
	for _, r := range Rows() {
		name, _, _ := strings.Cut(r.Name, "/")
		names = append(names, name)
	}
	return slices.Compact(names)
}
