package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// An order is what the command line asks for.
type order struct {
	seed     uint64
	n        int
	packages []string
	list     bool
	only     int
	jobs     int
	least    float64
}

const corePackages = "internal/ids,internal/block,edt,runtime"

func parse(args []string, stderr io.Writer) (order, error) {
	var o order
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Uint64Var(&o.seed, "seed", 1, "draws the mutants")
	flags.IntVar(&o.n, "n", 100, "how many mutants to draw")
	packages := flags.String("packages", corePackages, "the packages to make faults in, by directory")
	flags.BoolVar(&o.list, "list", false, "list the mutants that are drawn, and run nothing")
	flags.IntVar(&o.only, "only", 0, "run only this one of the drawn mutants")
	flags.IntVar(&o.jobs, "jobs", 2, "how many mutants to test at a time, 1 or 2")
	flags.Float64Var(&o.least, "least", 90, "fail if fewer percent are killed")
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprintln(stderr, "usage: go run ./internal/mutate [flags]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return o, err
	}
	o.packages = strings.Split(*packages, ",")
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unknown argument %q", flags.Arg(0))
	case o.n < 1:
		return o, fmt.Errorf("-n %d: need at least 1", o.n)
	case o.only < 0 || o.only > o.n:
		return o, fmt.Errorf("-only %d: the mutants are 1 to %d", o.only, o.n)
	case o.jobs < 1 || o.jobs > 2:
		return o, fmt.Errorf("-jobs %d: need 1 or 2", o.jobs)
	case o.least < 0 || o.least > 100:
		return o, fmt.Errorf("-least %v: need 0 to 100", o.least)
	}
	return o, nil
}

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	if err == flag.ErrHelp {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := carryOut(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		stop()
		os.Exit(1)
	}
}

// carryOut draws the mutants, and lists them or tests them.
func carryOut(ctx context.Context, o order, stdout, stderr io.Writer) error {
	mod, err := loadModule(ctx, ".", o.packages)
	if err != nil {
		return err
	}
	mutants, err := mod.draw(o.seed, o.n)
	if err != nil {
		return err
	}
	if o.only > 0 {
		if o.only > len(mutants) {
			return fmt.Errorf("-only %d: %d mutants were drawn", o.only, len(mutants))
		}
		mutants = mutants[o.only-1 : o.only]
		fmt.Fprintln(stdout, &mutants[0])
	}
	if o.list {
		listMutants(stdout, mutants)
		return nil
	}
	start := time.Now()
	verdicts, err := mod.test(ctx, mutants, o.jobs, stderr)
	if err != nil {
		return err
	}
	killed := writeTable(stdout, mutants, verdicts)
	fmt.Fprintf(stderr, "mutate: seed %d, %v\n", o.seed, time.Since(start).Round(time.Second))
	if killed < o.least {
		return fmt.Errorf("%.0f %% of the mutants were killed, need %.0f %%", killed, o.least)
	}
	return nil
}
