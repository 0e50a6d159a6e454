// Opcount counts what the operations of the runtime cost, in instructions and locked
// operations, with callgrind: a count is the same on a busy machine. It compares the
// counts with a committed table, one for each version of Go. docs/overhead.md says what
// is counted and how.
//
//	opcount [-functions] [ENTRY ...]   counts and prints
//	opcount -check                     compares with the table; exit code 1 if they differ
//	opcount -update                    writes the table
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // also: the counts are not what the table says
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(mainCode(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the command line.
type options struct {
	check, update, functions bool
	dir, profile             string
	entries                  []*entry
}

// errUsage says that the command line is wrong; what is wrong was printed.
var errUsage = errors.New("usage")

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("opcount", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.check, "check", false, "compare with the committed table; exit code 1 if a count grew or shrank")
	flags.BoolVar(&o.update, "update", false, "write the table")
	flags.BoolVar(&o.functions, "functions", false, "print what each function costs, too")
	flags.StringVar(&o.dir, "C", ".", "`directory` in the module to count")
	flags.StringVar(&o.profile, "pgo", "off", "profile `file` to build with; such counts do not compare with the table")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: opcount [-check | -update | -functions] [-C directory] [-pgo file] [ENTRY ...]")
		flags.PrintDefaults()
		fmt.Fprintln(stderr, "entries:")
		for _, e := range entries {
			fmt.Fprintf(stderr, "  %-22s %s\n", e.name, e.what)
		}
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	problem := o.choose(flags.Args())
	switch {
	case problem != "":
	case o.check && o.update:
		problem = "-check and -update exclude each other"
	case (o.check || o.update) && flags.NArg() > 0:
		problem = "-check and -update are about all entries: name none"
	case (o.check || o.update) && o.profile != "off":
		problem = "the table is of builds without a profile: no -pgo with -check and -update"
	default:
		return o, nil
	}
	fmt.Fprintln(stderr, "opcount: "+problem)
	return nil, errUsage
}

// choose takes the entries named, or all, and says what is wrong with the names.
func (o *options) choose(names []string) (problem string) {
	for i := range entries {
		if len(names) == 0 || slices.Contains(names, entries[i].name) {
			o.entries = append(o.entries, &entries[i])
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.name == name }) {
			return "no entry " + name + "; opcount -h lists them"
		}
	}
	return ""
}

func mainCode(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	if err := o.run(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "opcount: "+err.Error())
		return exitFailed
	}
	return exitOK
}

// run counts, and prints, compares or writes the table.
func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	m, err := findMachine(ctx, o.dir)
	if err != nil {
		return err
	}
	file := tableFile(m.root, m.goVersion)
	var committed *table
	if o.check { // before minutes of counting
		if committed, err = m.committed(file); err != nil {
			return err
		}
	}
	start := time.Now()
	counts, err := m.countAll(ctx, o.entries, o.profile)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "counted in %v\n", time.Since(start).Round(time.Second))
	now := &table{measured: m.String()}
	for _, n := range counts {
		now.figures = append(now.figures, n.figure())
	}
	if o.update {
		return now.save(file)
	}
	if err := now.write(stdout); err != nil {
		return err
	}
	if o.functions {
		if err := writeFunctions(stdout, counts); err != nil {
			return err
		}
	}
	if o.check {
		return judge(committed, now)
	}
	return nil
}

// judge is the error of a check.
func judge(committed, now *table) error {
	lines := compare(committed, now)
	if len(lines) == 0 {
		return nil
	}
	if committed.measured != now.measured {
		lines = append(lines, "the table was measured with "+committed.measured, "this was measured with      "+now.measured)
	}
	return errors.New("the counts are not what the committed table says\n  " + strings.Join(lines, "\n  ") +
		"\nIf the change is worth it, write the table and commit it with the change: go run ./cmd/opcount -update")
}
