package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"
)

// A machine is the tools that count, Go and valgrind, by their versions.
type machine struct {
	goVersion, valgrind string
	scratch             string // folder for the program that is counted, and callgrind's files
}

const (
	source      = "./cmd/opcount"
	operateWord = "operate" // as first argument: run a workload of a size, and print the number of its operations
)

func (m *machine) program() string { return filepath.Join(m.scratch, "opcount") }

func findMachine(ctx context.Context) (*machine, error) {
	const install = "install Debian's package valgrind: apt-get install valgrind"
	out, err := exec.CommandContext(ctx, "valgrind", "--version").CombinedOutput()
	m := &machine{goVersion: goruntime.Version(), valgrind: strings.TrimSpace(string(out))}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("there is no valgrind; " + install)
	case err != nil:
		return nil, fmt.Errorf("valgrind does not run (%w: %s); %s", err, m.valgrind, install)
	case goruntime.GOOS != "linux" || goruntime.GOARCH != "amd64":
		return nil, fmt.Errorf("counts are of linux/amd64; this is %s/%s", goruntime.GOOS, goruntime.GOARCH)
	}
	if _, err := os.Stat(source); err != nil {
		return nil, errors.New("there is no " + source + ": opcount runs in the module's root")
	}
	return m, nil
}

// countAll builds the program and counts entries, as many at a time as there are processors: other load does
// not change counts.
func (m *machine) countAll(ctx context.Context, list []entry) (_ []*count, err error) {
	if m.scratch, err = os.MkdirTemp("", "opcount"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(m.scratch)
	// With the tag valgrind, Go's runtime tells valgrind about its stacks. Without a profile, counts do not depend on
	// names and line numbers.
	build := exec.CommandContext(ctx, "go", "build", "-tags", "valgrind", "-pgo=off", "-trimpath", "-o", m.program(),
		source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOOS=linux",
		"GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s: %w\n%s", source, err, out)
	}
	counts := make([]*count, len(list))
	var all errgroup.Group
	all.SetLimit(goruntime.NumCPU())
	for k, e := range list {
		all.Go(func() (err error) {
			counts[k], err = m.count(ctx, e)
			return err
		})
	}
	return counts, all.Wait()
}

// A count is the cost of one operation of an entry, and each function's own share of this cost.
type count struct {
	name string
	cost
	functions profile
}

// count counts an entry: it runs the workload in two sizes, and returns the cost of one operation.
func (m *machine) count(ctx context.Context, e entry) (*count, error) {
	var runs [2]*run
	for k, size := range e.sizes {
		var err error
		if runs[k], err = m.run(ctx, e, size); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return e.difference(runs[0], runs[1])
}

// A run is one run of a workload: the cost of its functions, and the number of its operations.
type run struct {
	operations float64
	functions  profile
}

// run runs a workload once, under valgrind.
func (m *machine) run(ctx context.Context, e entry, size int) (*run, error) {
	out := filepath.Join(m.scratch, fmt.Sprintf("%s-%d", e.name, size))
	args := []string{"--tool=callgrind", "--collect-bus=yes", "--dump-line=no", "--callgrind-out-file=" + out}
	if e.within != "" {
		args = append(args, "--toggle-collect="+e.within)
	}
	args = append(args, m.program(), operateWord, e.workload, strconv.Itoa(size))
	valgrind := exec.CommandContext(ctx, "valgrind", args...)
	// Valgrind reports the instruction RDTSCP also on a processor that lacks it, and cannot run it there.
	valgrind.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off", "GOGC=off", "GOMEMLIMIT=off",
		"GOMAXPROCS=2")
	var said bytes.Buffer
	valgrind.Stderr = &said
	printed, err := valgrind.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(valgrind.Args, " "), err, &said)
	}
	operations, err := strconv.ParseFloat(strings.TrimSpace(string(printed)), 64)
	if err != nil {
		return nil, fmt.Errorf("%s printed %q, not how many operations it did", m.program(), printed)
	}
	p, err := readProfile(out)
	if err == nil && len(p) == 0 {
		err = fmt.Errorf("nothing was counted\n%s", &said)
	}
	return &run{operations, p}, err
}

// difference returns the cost of one operation: the difference of the costs, divided by that of the operations.
func (e entry) difference(small, large *run) (*count, error) {
	more := large.operations - small.operations
	if more <= 0 {
		return nil, fmt.Errorf("%s: %v operations in the small run, %v in the large one", e.name, small.operations,
			large.operations)
	}
	n := &count{name: e.name, functions: make(profile)}
	for share, r := range map[float64]*run{1 / more: large, -1 / more: small} {
		for function, c := range r.functions {
			n.functions.add(function, c.times(share))
		}
	}
	for _, c := range n.functions {
		n.cost = n.cost.plus(c)
	}
	return n, nil
}

// writeFunctions writes what each function's own code costs an operation, the dearest first. It leaves out functions
// whose cost rounds to nothing, such as those that ran once in the larger run.
func (n *count) writeFunctions(w io.Writer) {
	fmt.Fprintf(w, "\n%s:\n", n.name)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range slices.SortedFunc(maps.Keys(n.functions), func(a, b string) int {
		return cmp.Or(cmp.Compare(n.functions[b].instructions, n.functions[a].instructions), cmp.Compare(a, b))
	}) {
		c := n.functions[f]
		if c.instructions < 0.05 && c.locked < 0.005 && c.calls < 0.005 {
			continue
		}
		fmt.Fprintf(out, "%.1f\t%.2f\t%.2f\t  %s\n", c.instructions, c.locked, c.calls, f)
	}
	out.Flush()
}
