package edttest

import (
	"fmt"
	"regexp"
	"strings"
	"text/tabwriter"

	"ocr/edt"
	"ocr/guid"
)

// A Failure is a schedule under which a program fails. As an error it prints what failed, how to run it again, and
// which EDTs ran when, beside a schedule that passes.
type Failure struct {
	// Err is the error under Schedule.
	Err error
	// Schedule is the first schedule that failed.
	Schedule Schedule
	// Passes is the first schedule that passed, nil if none did.
	Passes *Schedule

	unsteady bool // run again, the schedule did not fail
	table    string
}

func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "edttest: a schedule fails: %v\n", f.Err)
	fmt.Fprintf(&b, "  it fails under  %v\n", f.Schedule)
	if f.Passes != nil {
		fmt.Fprintf(&b, "  it passes under %v\n", f.Passes)
	} else {
		b.WriteString("  no schedule passes\n")
	}
	if f.unsteady {
		b.WriteString("  The failure did not come again: the program does not depend on the schedule alone.\n")
	} else {
		fmt.Fprintf(&b, "  run it again with edttest.Replay(%q)\n", f.Schedule)
	}
	b.WriteString(f.table)
	return strings.TrimSuffix(b.String(), "\n")
}

// Unwrap returns the error under Schedule.
func (f *Failure) Unwrap() error { return f.Err }

// explain makes the failure. It runs the failing schedule again and records the lines that create objects, so that
// leaks and EDTs that wait are reported with their lines.
func (x *explorer) explain() *Failure {
	f := &Failure{Err: x.failed.err, Schedule: x.failed.schedule}
	var passes []string
	if x.passed != nil {
		f.Passes = &x.passed.schedule
		passes = x.rows(*f.Passes)
	}
	if !x.failed.again {
		return f
	}
	f.table = sideBySide(x.rows(f.Schedule), passes)
	x.sites = true
	again := x.run(f.Schedule, f.Schedule.order(), nil)
	if f.unsteady = again.err == nil; !f.unsteady {
		f.Err = again.err
	}
	return f
}

// rows runs a schedule again, and lists its EDTs in the order in which they began.
func (x *explorer) rows(s Schedule) []string {
	t := &tracer{made: make(map[string]int), names: make(map[guid.GUID]string)}
	x.run(s, s.order(), func(h *Host, cfg *edt.Config) {
		t.host = h
		cfg.Observe = func(w *edt.Worker) edt.Observer { return &traced{tracer: t, worker: w.Number()} }
	})
	return t.rows
}

// A tracer gives EDTs names: the template, and the EDT's number among those of the template.
type tracer struct {
	host  *Host
	made  map[string]int
	names map[guid.GUID]string
	rows  []string
}

// traced is the observer of one worker, for the tracer.
type traced struct {
	edt.NopObserver
	*tracer
	worker int
}

func (t *traced) EDTCreated(g guid.GUID, tmpl *edt.Template, _ int) {
	t.made[tmpl.Name()]++
	t.names[g] = fmt.Sprintf("%s#%d", tmpl.Name(), t.made[tmpl.Name()])
}

func (t *traced) EDTBegin(g guid.GUID, _ *edt.Template, _ edt.Args) {
	within := strings.Repeat("> ", len(t.host.busy)-1)
	t.rows = append(t.rows, fmt.Sprintf("%s%s on %d", within, t.names[g], t.worker))
}

const (
	rowsBefore = 2  // rows that are shown before the two schedules differ
	rowsShown  = 24 // rows that are shown in all
)

// sideBySide shows which EDTs ran under a failing and a passing schedule. Of long schedules it shows the part that
// begins shortly before they differ.
func sideBySide(fails, passes []string) string {
	n := max(len(fails), len(passes))
	part := 0
	for part < min(len(fails), len(passes)) && fails[part] == passes[part] {
		part++
	}
	first := max(0, part-rowsBefore)
	if n <= rowsShown || len(passes) == 0 {
		first = 0
	}
	last := min(n, first+rowsShown)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  EDT\tfails\tpasses\n")
	for k := first; k < last; k++ {
		mark := ""
		if len(passes) > 0 && at(fails, k) != at(passes, k) {
			mark = "*"
		}
		fmt.Fprintf(w, "  %d%s\t%s\t%s\n", k, mark, at(fails, k), at(passes, k))
	}
	w.Flush()
	if first > 0 || last < n {
		fmt.Fprintf(&b, "  EDTs %d to %d of %d and %d\n", first, last-1, len(fails), len(passes))
	}
	return trailing.ReplaceAllString(b.String(), "\n")
}

var trailing = regexp.MustCompile(` +\n`)

func at(rows []string, k int) string {
	if k < len(rows) {
		return rows[k]
	}
	return ""
}
