package overhead

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ocr/edt"
	"ocr/internal/command/cli"
	"ocr/internal/measure/peers"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// A Row is one operation to measure.
type Row struct {
	Section    string // title of its table
	Name       string // an operation and, after slashes, its parameters; no two rows have the same
	What       string // the operation, in a line
	MinWorkers int    // that the row needs; 0 for 1
	Forms      []Form // ours, then what stands beside it
}

// A Form is a way to do the operation of a row.
type Form struct {
	Name    string         // what is used, without blanks; empty for the row's own
	Does    string         // how, in three words; empty of plain Go
	Library *peers.Library // that its program is written for; nil if there is none

	// Once takes a sample.
	Once func(ctx context.Context, b *Bench) (Sample, error)
}

// What forms in other runtimes do, and rows beside them: like is compared with like.
const (
	builtOnce  = "graph built once"
	builtEach  = "built each time"
	byHand     = "counters by hand"
	plainLoops = "loop with flags"
	oneMakes   = "one makes tasks"
	inALoop    = "loop makes tasks"
	nextByLast = "task makes next"
	bothCalls  = "both calls tasks"
	oneInline  = "one call inline"
)

// A Bench is what samples run on, and how long they are.
type Bench struct {
	Workers int
	// Run runs a graph on as many workers, with these options beside the bench's own.
	Run func(ctx context.Context, main edt.Func, options ...runtime.Option) (runtime.Counters, error)
	// Program returns the program of another runtime, with a thread for each worker.
	Program func(ctx context.Context, l *peers.Library) (*peers.Program, error)
	Target  time.Duration // the least time that the timed part of a sample takes
	Rounds  int           // if not 0, how many rounds a worker times, in place of Target: every run does the same then
}

// A Sample is operations that were timed, of all workers together, and how long they took: the times of all workers
// added up if each works by itself.
type Sample struct {
	Ops     int
	Elapsed time.Duration
}

// row returns a row: our form, and what stands beside it.
func row(name, what string, own Form, beside ...[]Form) *Row {
	return &Row{Name: name, What: what, Forms: append([]Form{own}, slices.Concat(beside...)...)}
}

// on says how many workers the row needs.
func (r *Row) on(workers int) *Row {
	r.MinWorkers = workers
	return r
}

// Rows returns all rows, by section. Plain Go stands first beside a row, then what does as the row does.
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

// Operations returns the operations of all rows, each once.
func Operations() (names []string) {
	for _, r := range Rows() {
		name, _, _ := strings.Cut(r.Name, "/")
		names = append(names, name)
	}
	return slices.Compact(names)
}

// List lists rows, each with what stands beside it.
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

// Select returns the rows that some pattern fits, in their own order: all if there is no pattern. A pattern is a name,
// or the operation before its first slash, with *, ? and [ranges] as the shell has them, but * also fits slashes. An
// error is one line.
func Select(patterns []string) ([]*Row, error) {
	rows, chosen := Rows(), make(map[*Row]bool)
	for _, p := range patterns {
		found := false
		for _, r := range rows {
			fits, err := r.fits(p)
			if err != nil {
				return nil, fmt.Errorf("row %s: is not a pattern: see ocrbench overhead --list", report.Plain(p))
			}
			if fits {
				found, chosen[r] = true, true
			}
		}
		if !found {
			return nil, cli.Unknown("row", p, Operations(), ", or a pattern of names that --list shows")
		}
	}
	return slices.DeleteFunc(rows, func(r *Row) bool { return len(patterns) > 0 && !chosen[r] }), nil
}

func (r *Row) fits(pattern string) (bool, error) {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
	whole, err := path.Match(flat(pattern), flat(r.Name))
	if whole || err != nil {
		return whole, err
	}
	operation, _, _ := strings.Cut(r.Name, "/")
	return path.Match(flat(pattern), operation)
}
