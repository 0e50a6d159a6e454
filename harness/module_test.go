package harness_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module is one outside of this one, in a directory of its own, with its command.
type module struct {
	*testing.T
	dir string
}

// build copies testdata/primes out of this module, and builds it as README says, without a network.
func build(t *testing.T) module {
	t.Helper()
	m := module{t, t.TempDir()}
	if err := os.CopyFS(m.dir, os.DirFS("testdata/primes")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	m.run(0, "go", "mod", "init", "primes")
	m.run(0, "go", "mod", "edit", "-require=ocr@v0.0.0", "-replace=ocr="+root)
	m.run(0, "go", "build", "-o", "primes", ".")
	return m
}

// run runs a program in the module, which must end with this exit code.
func (m module) run(want int, name string, args ...string) (stdout, stderr string) {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err, code := cmd.Run(), 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err, code = nil, exit.ExitCode()
	}
	if err != nil || code != want {
		m.Fatalf("%s %v: exit code %d, want %d, %v\n%s\n%s", name, args, code, want, err, &out, &errs)
	}
	return out.String(), errs.String()
}

func (m module) read(name string) string {
	m.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		m.Fatal(err)
	}
	return string(text)
}

// TestAnotherModule holds that the command of a program in another module, which takes under 40 lines, has what
// ocrbench has: samples, formats, check mode, traces, drawings and statistics with the app's labels, comparison, usage
// errors.
func TestAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program in another module, which takes seconds: not in short tests")
	}
	m := build(t)
	code := 0
	for line := range strings.Lines(m.read("main.go")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code++
		}
	}
	if code >= 40 {
		t.Errorf("main.go has %d lines of code", code)
	}

	short := []string{"primes", "-n", "2000", "--workers", "2", "--samples", "6", "--warmup", "0", "--sample-time", "1us",
		"--format", "json"}
	m.run(0, "./primes", append(short, "-o", "old.json")...)
	m.run(0, "./primes", append(short, "-o", "new.json", "--trace", "trace.json", "--dot", "graph.dot", "--stats")...)
	var d struct {
		App      string
		Verified bool
		Results  []struct{ Name string }
		Stats    struct{ EDTs int }
	}
	if err := json.Unmarshal([]byte(m.read("new.json")), &d); err != nil {
		t.Fatal(err)
	}
	const edts = 1 + 1 + 2000/100 + 2 // main, all, some, what adds up and what takes the sum
	if d.App != "primes" || !d.Verified || len(d.Results) != 2 || d.Results[0].Name != "primes/edt/n=2000/workers=2" ||
		d.Stats.EDTs != edts {
		t.Errorf("document %+v", d)
	}
	for file, want := range map[string]string{"trace.json": `"name":"some","args":{"label":"below 300"`,
		"graph.dot": `some\nbelow 300\n`} {
		if text := m.read(file); !strings.Contains(text, want) {
			t.Errorf("no %s in %s:\n%s", want, file, text)
		}
	}
	if out, _ := m.run(0, "./primes", "compare", "old.json", "new.json"); !strings.Contains(out, "Mnumbers/s") &&
		!strings.Contains(out, "ms/run") {
		t.Errorf("compare: %s", out)
	}
	if _, errs := m.run(0, "./primes", "primes", "--check"); !strings.Contains(errs,
		"primes: check: 0 faults, 0 notes in ") {
		t.Errorf("--check: %s", errs)
	}
	if _, errs := m.run(2, "./primes", "primes", "-n", "0"); errs != "primes: -n 0: must be 1..1048576\n" {
		t.Errorf("-n 0: %s", errs)
	}
	m.run(0, "./primes", "primes", "-n", "2000", "--ranks", "2", "--workers", "1", "--samples", "2", "--sample-time",
		"1us", "--format", "json", "-o", "ranks.json")
	if text := m.read("ranks.json"); !strings.Contains(text, `"name": "primes/edt/n=2000/workers=1/ranks=2"`) ||
		!strings.Contains(text, `"verified": true`) {
		t.Errorf("over ranks: %s", text)
	}
	m.interrupt()
	if out, _ := m.run(0, "./primes", "__complete", "primes", "--forms", "s"); !strings.HasPrefix(out, "serial\n") {
		t.Errorf("completion: %s", out)
	}
}

// interrupt holds that an interrupt ends a run, and that what was measured is written.
func (m module) interrupt() {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), "./primes", "primes", "--samples", "1000000", "--format", "json", "-o",
		"long.json", "--log", "info")
	cmd.Dir = m.dir
	errs, err := cmd.StderrPipe()
	if err != nil {
		m.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	lines.Scan() // of the first run
	first, last := lines.Text(), ""
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		m.Error(err)
	}
	for lines.Scan() {
		last = lines.Text()
	}
	_ = cmd.Wait()
	if !strings.Contains(first, "run started") || last != "primes: interrupted" || cmd.ProcessState.ExitCode() != 130 {
		m.Errorf("interrupted: exit code %d, stderr from %q to %q", cmd.ProcessState.ExitCode(), first, last)
	}
	if text := m.read("long.json.partial"); !strings.Contains(text, `"partial": true`) {
		m.Errorf("partial results: %s", text)
	}
}
