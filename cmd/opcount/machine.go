package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
)

// A machine is what counts: a version of Go and one of valgrind, on a module.
type machine struct {
	root                string // of the module
	goVersion, valgrind string
}

func (m *machine) String() string { return m.goVersion + " linux/amd64, " + m.valgrind }

// findMachine finds what it takes to count the module that dir is in.
func findMachine(ctx context.Context, dir string) (*machine, error) {
	m := &machine{}
	var err error
	if m.valgrind, err = valgrindVersion(ctx); err != nil {
		return nil, err
	}
	env := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOMOD")
	env.Dir = dir
	out, err := env.Output()
	if err != nil {
		return nil, fmt.Errorf("go env in %s: %w", dir, err)
	}
	version, module, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if module == "" || module == os.DevNull {
		return nil, fmt.Errorf("%s is in no module", dir)
	}
	if goruntime.GOOS != "linux" || goruntime.GOARCH != "amd64" {
		return nil, fmt.Errorf("counts are of linux/amd64; this is %s/%s", goruntime.GOOS, goruntime.GOARCH)
	}
	m.goVersion, m.root = version, filepath.Dir(module)
	return m, nil
}

// valgrindVersion runs valgrind.
func valgrindVersion(ctx context.Context) (string, error) {
	const install = "install Debian's package valgrind: apt-get install valgrind"
	out, err := exec.CommandContext(ctx, "valgrind", "--version").CombinedOutput()
	said := strings.TrimSpace(string(out))
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no valgrind; " + install)
	case err != nil:
		return "", fmt.Errorf("valgrind does not run (%w: %s); %s", err, said, install)
	}
	return said, nil
}

// committed reads the table that a check compares with.
func (m *machine) committed(file string) (*table, error) {
	t, err := load(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no table for %s: %s. Nothing was compared. Write the table with go run ./cmd/opcount -update on a commit known to be good, and commit it",
			m.goVersion, file)
	}
	return t, err
}

// countAll counts entries, as many at a time as there are processors: counts do not
// depend on what else the machine does.
func (m *machine) countAll(ctx context.Context, list []*entry, profile string) ([]*count, error) {
	scratch, err := os.MkdirTemp("", "opcount")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	c, err := newCounter(ctx, m.root, scratch, profile)
	if err != nil {
		return nil, err
	}
	counts, errs := make([]*count, len(list)), make([]error, len(list))
	room := make(chan struct{}, goruntime.NumCPU())
	var all sync.WaitGroup
	for k, e := range list {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			counts[k], errs[k] = c.count(ctx, e)
		})
	}
	all.Wait()
	return counts, errors.Join(errs...)
}
