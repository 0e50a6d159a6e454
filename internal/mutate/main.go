package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// An order is what the command line asks for.
type order struct {
	seed  uint64
	n     int
	least float64
}

// core is the packages that get faults.
var core = []string{"internal/ids", "internal/block", "edt", "runtime"}

func parse(args []string, stderr io.Writer) (order, error) {
	var o order
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Uint64Var(&o.seed, "seed", 1, "draws the mutants")
	flags.IntVar(&o.n, "n", 100, "how many mutants to draw")
	flags.Float64Var(&o.least, "least", 90, "fail if fewer percent are killed")
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprintln(stderr, "usage: go run ./internal/mutate [flags]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unknown argument %q", flags.Arg(0))
	case o.n < 1:
		return o, fmt.Errorf("-n %d: need at least 1", o.n)
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

// carryOut draws the mutants and tests them.
func carryOut(ctx context.Context, o order, stdout, stderr io.Writer) error {
	mod, err := loadModule(ctx, ".", core)
	if err != nil {
		return err
	}
	mutants, err := mod.draw(o.seed, o.n)
	if err != nil {
		return err
	}
	start := time.Now()
	verdicts, err := mod.test(ctx, mutants, stderr)
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
