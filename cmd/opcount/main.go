// Opcount counts what the operations of the runtime cost, in instructions and locked
// operations, with callgrind of valgrind 3.19: times on a shared machine move by more than most
// changes do, and a count is the same on a busy one. It compares the counts with a
// committed table, one for each minor version of Go.
//
// The program that is counted runs two sizes of a workload. The difference in instructions is
// divided by that in operations, so start and end drop out. Functions of this module count by
// their own code, functions of Go's runtime as calls only; "locked" includes exchanges, which
// Go's atomic stores are. The program has no profile, and all entries but hand-off have one
// worker: it runs the same code over the same data, so its counts are exact. hand-off varies
// by 0.3 %, as a receiver that spins polls.
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
	"io/fs"
	"os"
	"os/signal"
	"slices"
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

func mainCode(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := &options{}
	err := o.parse(args, stderr)
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

// options are the command line.
type options struct {
	check, update, functions bool
	profile                  string
	entries                  []*entry
}

// parse reads the command line. It has printed what is wrong if there is an error.
func (o *options) parse(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("opcount", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.check, "check", false, "compare with the committed table; exit code 1 if a count grew or shrank")
	flags.BoolVar(&o.update, "update", false, "write the table")
	flags.BoolVar(&o.functions, "functions", false, "print what each function costs, too")
	flags.StringVar(&o.profile, "pgo", "off", "profile `file` to build with; such counts do not compare with the table")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: opcount [-check | -update | -functions] [-pgo file] [ENTRY ...]")
		flags.PrintDefaults()
		fmt.Fprintln(stderr, "entries:")
		for _, e := range entries {
			fmt.Fprintf(stderr, "  %-22s %s\n", e.name, e.what)
		}
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	err := o.choose(flags.Args())
	switch table := o.check || o.update; {
	case err != nil:
	case o.check && o.update:
		err = errors.New("-check and -update exclude each other")
	case table && flags.NArg() > 0:
		err = errors.New("-check and -update are about all entries: name none")
	case table && o.profile != "off":
		err = errors.New("the table is of builds without a profile: no -pgo with -check and -update")
	}
	if err != nil {
		fmt.Fprintf(stderr, "opcount: %v\n", err)
	}
	return err
}

// choose takes the entries that are named, or all.
func (o *options) choose(names []string) error {
	for i := range entries {
		if len(names) == 0 || slices.Contains(names, entries[i].name) {
			o.entries = append(o.entries, &entries[i])
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.name == name }) {
			return errors.New("no entry " + name + "; opcount -h lists them")
		}
	}
	return nil
}

// run counts, and prints, compares or writes the table.
func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	m, err := findMachine(ctx)
	if err != nil {
		return err
	}
	file := tableFile(m.root, m.goVersion)
	var committed *table
	if o.check { // before minutes of counting
		if committed, err = load(file); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no table for %s: %s. Nothing was compared. Write the table with go run "+
				"./cmd/opcount -update on a commit known to be good, and commit it",
				m.goVersion, file)
		} else if err != nil {
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
	err = now.write(stdout)
	for _, n := range counts {
		if o.functions {
			err = errors.Join(err, n.writeFunctions(stdout))
		}
	}
	if err != nil || !o.check {
		return err
	}
	return judge(committed, now)
}
