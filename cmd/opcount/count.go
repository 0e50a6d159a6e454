package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A counter builds the program that is counted and runs it under valgrind.
type counter struct {
	program string // built
	scratch string // a folder for callgrind's files
}

// counted is the package of the program.
const counted = "./cmd/opcount/counted"

// newCounter builds the program of the module at root. Go's runtime tells valgrind about
// its stacks with the tag. Figures to compare are without a profile: what a profile does
// moves with names and line numbers.
func newCounter(ctx context.Context, root, scratch, profile string) (*counter, error) {
	c := &counter{filepath.Join(scratch, "counted"), scratch}
	build := exec.CommandContext(ctx, "go", "build", "-tags", "valgrind", "-pgo="+profile, "-trimpath", "-o", c.program, counted)
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOOS=linux", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s: %w\n%s", counted, err, out)
	}
	return c, nil
}

// A run is one run of the program: what its functions cost, for how many operations.
type run struct {
	operations float64
	functions  profile
}

// run runs a workload once.
func (c *counter) run(ctx context.Context, e *entry, size int) (*run, error) {
	out := filepath.Join(c.scratch, fmt.Sprintf("%s-%d", e.name, size))
	// Only one thread runs at a time; fair-sched has two that hand over take turns at once.
	args := []string{"--tool=callgrind", "--collect-bus=yes", "--fair-sched=try", "--dump-line=no", "--callgrind-out-file=" + out}
	files := out
	if e.acts { // a file each time that the operations end; the last file is of the rest
		args = append(args, "--zero-before="+actBegins, "--dump-before="+actEnds)
		files = out + ".*"
	}
	valgrind := exec.CommandContext(ctx, "valgrind", append(args, c.program, e.workload, strconv.Itoa(size))...)
	valgrind.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1", "GOGC=off", "GOMEMLIMIT=off", "GOMAXPROCS=2")
	var said bytes.Buffer
	valgrind.Stderr = &said
	printed, err := valgrind.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(valgrind.Args, " "), err, &said)
	}
	operations, err := strconv.ParseFloat(strings.TrimSpace(string(printed)), 64)
	if err != nil {
		return nil, fmt.Errorf("%s printed %q, not how many operations it did", c.program, printed)
	}
	p, err := readProfiles(files)
	if err == nil && len(p) == 0 {
		err = fmt.Errorf("nothing was counted\n%s", &said)
	}
	return &run{operations, p}, err
}

// readProfiles adds up callgrind's files whose names fit a pattern.
func readProfiles(pattern string) (profile, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	sum := make(profile)
	for _, name := range files {
		p, err := readProfile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for function, c := range p {
			sum.add(function, c)
		}
	}
	return sum, nil
}

func readProfile(name string) (profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseProfile(f)
}

// A count is what one operation of an entry costs, and what of it each function's own
// code does.
type count struct {
	entry *entry
	cost
	functions profile
}

// count counts an entry.
func (c *counter) count(ctx context.Context, e *entry) (*count, error) {
	small, err := c.run(ctx, e, e.sizes[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	large, err := c.run(ctx, e, e.sizes[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	return e.difference(small, large)
}

// difference is what the operations cost that the larger run has done more.
func (e *entry) difference(small, large *run) (*count, error) {
	more := large.operations - small.operations
	if more <= 0 {
		return nil, fmt.Errorf("%s: %v operations in the small run, %v in the large one", e.name, small.operations, large.operations)
	}
	n := &count{entry: e, functions: make(profile)}
	for function, c := range large.functions {
		n.functions.add(function, c.times(1/more))
	}
	for function, c := range small.functions {
		n.functions.add(function, c.times(-1/more))
	}
	for function, c := range n.functions {
		if e.counts(function) {
			n.cost = n.cost.plus(c)
		}
	}
	for _, function := range e.only {
		if n.functions[function].instructions == 0 {
			return nil, fmt.Errorf("%s: %s did not run: was it renamed, or is it a part of its caller now? cmd/opcount/entry.go names it", e.name, function)
		}
	}
	return n, nil
}
