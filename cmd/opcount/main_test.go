package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		args string
		want string
	}{
		{"-check -update", "exclude each other"},
		{"-check chain-event", "name none"},
		{"-update chain-event", "name none"},
		{"chain-evnet", "no entry chain-evnet"},
		{"-unknown", "usage: opcount"},
	} {
		var out, errs bytes.Buffer
		testrun.Equal(t, 2, mainCode(context.Background(), strings.Fields(tc.args), &out, &errs),
			"%s: exit code", tc.args)
		if out.Len() > 0 || !strings.Contains(errs.String(), tc.want) {
			t.Errorf("%s: printed %q and %q, want %q", tc.args, &out, &errs, tc.want)
		}
	}
	var errs bytes.Buffer
	if code := mainCode(context.Background(), []string{"-h"}, nil, &errs); code != 0 ||
		!strings.Contains(errs.String(), "sweep-edt") {
		t.Errorf("-h: exit code %d, %s", code, &errs)
	}
}

// fakeTool puts a shell script before the real tool, if there is one.
func fakeTool(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	testrun.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var errs bytes.Buffer
	testrun.Equal(t, 1, mainCode(context.Background(), nil, nil, &errs), "exit code")
	if said := errs.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "Debian's package valgrind") {
		t.Errorf("printed %q", said)
	}
	fakeTool(t, "valgrind", "echo no tool; exit 1")
	_, err := findMachine(context.Background())
	testrun.Fails(t, err, "no tool); install Debian's package valgrind", "error")
}

// TestNoTable: a check without a table for this version of Go fails, and counts nothing.
func TestNoTable(t *testing.T) {
	fakeTool(t, "valgrind", "echo valgrind-0")
	root := t.TempDir()
	testrun.OK(t, os.MkdirAll(filepath.Join(root, source), 0o755))
	t.Chdir(root)
	var errs bytes.Buffer
	code := mainCode(context.Background(), []string{"-check"}, nil, &errs)
	if said := errs.String(); code != 1 || !strings.Contains(said, "no table for "+goruntime.Version()) ||
		strings.Contains(said, "counted") {
		t.Errorf("exit code %d, printed %q", code, said)
	}
}

func TestNoModule(t *testing.T) {
	fakeTool(t, "valgrind", "echo valgrind-0")
	t.Chdir(t.TempDir())
	_, err := findMachine(context.Background())
	testrun.Fails(t, err, "in the module's root")
}

// TestRunFails: the error has valgrind's message.
func TestRunFails(t *testing.T) {
	for name, script := range map[string]string{
		"it crashed":          "echo it crashed >&2; exit 1",
		"not how many":        "echo hello",
		"nothing was counted": `for a; do case $a in --callgrind-out-file=*) : >"${a#*=}" ;; esac; done; echo 100`,
	} {
		fakeTool(t, "valgrind", script)
		c := &machine{scratch: t.TempDir()}
		_, err := c.count(context.Background(), entries[0])
		testrun.Fails(t, err, name)
	}
}

// TestWorkloads: there is the workload of each entry, and it has operations.
func TestWorkloads(t *testing.T) {
	for _, e := range entries {
		if n, err := operate(e.workload, strconv.Itoa(e.sizes[0])); err != nil || n < 100 {
			t.Errorf("%s: %d operations, %v", e.name, n, err)
		}
	}
	_, err := operate("nothing", "1")
	testrun.Fails(t, err, "no workload nothing")
}
