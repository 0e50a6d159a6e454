// Opcount counts what the operations of the runtime cost, in instructions and locked operations, with callgrind of
// valgrind 3.19. Times on a shared machine vary by more than most changes do; counts do not depend on the load. It
// compares the counts with a committed table, one for each minor version of Go. It runs in the module's root.
//
// Opcount builds itself anew, and runs a workload under valgrind in two sizes. The difference of the two instruction
// counts, divided by the difference of the numbers of operations, has no cost of start and end. Functions of this
// module count by their own code, functions of Go's runtime only by calls; "locked" includes exchanges, which Go's
// atomic stores are. The program is built without a profile, and has one worker, which runs the same code over the same
// data: so counts are exact.
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
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == operateWord { // opcount starts itself, under valgrind
		n, err := operate(os.Args[2], os.Args[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(mainCode(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// mainCode returns the exit code: 1 for failures and for counts that differ from the table, 2 for wrong usage.
func mainCode(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("opcount", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var o options
	flags.BoolVar(&o.check, "check", false, "compare with the committed table; exit code 1 if a count grew or shrank")
	flags.BoolVar(&o.update, "update", false, "write the table")
	flags.BoolVar(&o.functions, "functions", false, "print what each function costs, too")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: opcount [-check | -update | -functions] [ENTRY ...]")
		flags.PrintDefaults()
		fmt.Fprintln(stderr, "entries, and the row of ocrbench overhead --list or the program whose operations each counts:")
		for _, e := range entries {
			fmt.Fprintf(stderr, "  %-24s %s\n", e.name, e.workload)
		}
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	err, code := o.choose(flags.Args()), 2
	if err == nil {
		err, code = o.run(ctx, stdout, stderr), 1
	}
	if err != nil {
		fmt.Fprintln(stderr, "opcount: "+err.Error())
		return code
	}
	return 0
}

type options struct {
	check, update, functions bool
	entries                  []entry
}

// choose selects the entries with these names, or all.
func (o *options) choose(names []string) error {
	if o.check && o.update {
		return errors.New("-check and -update exclude each other")
	}
	if (o.check || o.update) && len(names) > 0 {
		return errors.New("-check and -update are about all entries: name none")
	}
	for _, name := range names {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.name == name }) {
			return errors.New("no entry " + name + "; opcount -h lists them")
		}
	}
	o.entries = slices.DeleteFunc(slices.Clone(entries), func(e entry) bool {
		return len(names) > 0 && !slices.Contains(names, e.name)
	})
	return nil
}

// run counts, and prints, compares or writes the table.
func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	m, err := findMachine(ctx)
	if err != nil {
		return err
	}
	file := tableFile(m.goVersion)
	var committed *table
	if o.check { // fails before minutes of counting
		if committed, err = load(file); errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("there is no table for %s: %s. Nothing was compared. Write the table with go run "+
				"./cmd/opcount -update on a commit known to be good, and commit it", m.goVersion, file)
		} else if err != nil {
			return err
		}
	}
	start := time.Now()
	counts, err := m.countAll(ctx, o.entries)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "counted in %v\n", time.Since(start).Round(time.Second))
	now := &table{m.goVersion + " linux/amd64, " + m.valgrind, counts}
	if o.update {
		return os.WriteFile(file, []byte(now.String()), 0o644)
	}
	fmt.Fprint(stdout, now)
	for _, n := range counts {
		if o.functions {
			n.writeFunctions(stdout)
		}
	}
	if !o.check {
		return nil
	}
	return judge(committed, now)
}
