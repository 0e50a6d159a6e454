package scaffold

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

var root = filepath.Join("..", "..", "..")

// A written is a module that Write has made.
type written struct {
	*testing.T
	dir string
}

// run runs a program in the module, which must end with exit code want.
func (m written) run(want int, name string, args ...string) (stdout, stderr string) {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(cmd.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		m.Fatalf("%s %v: %v, want exit code %d\n%s\n%s", name, args, err, want, &out, &errs)
	}
	return out.String(), errs.String()
}

// TestModule: a written module is complete: the go command looks up no other module, and its tests pass. Its command,
// in under 40 lines, has what ocrbench has: samples, formats, check mode, traces, drawings and statistics, comparison,
// ranks, usage errors.
func TestModule(t *testing.T) {
	testrun.NeedsTools(t)
	m := written{t, filepath.Join(t.TempDir(), "with a space", "hello")}
	testrun.OK(t, os.Mkdir(filepath.Dir(m.dir), 0o755))
	if _, err := Write(m.dir, "hello", root); err != nil {
		t.Fatal(err)
	}
	m.run(0, "go", "vet", ".")
	m.run(0, "go", "test", ".")
	_, built := m.run(0, "go", "build", "-gcflags=-m", "-o", "hello", ".")
	testrun.Contains(t, built, "inlining call to")
	if strings.Contains(built, "inlining call to squares") {
		t.Error("each form has a copy of the loop that all should call")
	}
	read := func(name string) string { return testrun.Read(t, filepath.Join(m.dir, name)) }
	if n := strings.Count(read("main.go"), "\n"); n >= 40 {
		t.Errorf("main.go has %d lines", n)
	}

	command := filepath.Join(m.dir, "hello")
	short := []string{"hello", "-n", "2000", "--grain", "100", "--workers", "2", "--samples", "6", "--warmup", "0",
		"--sample-time", "1us", "--format", "json"}
	m.run(0, command, append(short, "-o", "old")...)
	m.run(0, command, append(short, "-o", "new", "--trace", "trace", "--graph", "dot", "--stats")...)
	testrun.Contains(t, read("new"), `"app": "hello"`, `"verified": true`, `"edts": `,
		`"name": "hello/edt/n=2000/grain=100/workers=2"`, `"name": "hello/serial/n=2000/grain=100/workers=2"`)
	testrun.Contains(t, read("trace"), `"name":"hello.add"`)
	testrun.Contains(t, read("dot"), `hello.add\n`)
	out, _ := m.run(0, command, "compare", "old", "new")
	testrun.Contains(t, out, "ms/run")
	_, errs := m.run(0, command, "hello", "--check")
	testrun.Contains(t, errs, "hello: check: 0 faults, 0 notes in ")
	_, errs = m.run(2, command, "hello", "-n", "0")
	testrun.Same(t, "hello: --n 0: must be 1..2000000\n", errs, "usage error")
	_, errs = m.run(2, command, append(short, "--ranks", "2", "--workers", "1")...)
	testrun.Contains(t, errs, "hello: --ranks 2: this program was built without MPI: ")
}

// TestUsed: go.mod of a written module requires the modules that its packages and tests import, and no others.
func TestUsed(t *testing.T) {
	m := written{t, filepath.Join(t.TempDir(), "hello")}
	_, err := Write(m.dir, "hello", root)
	testrun.OK(t, err)
	out, _ := m.run(0, "go", "list", "-deps", "-test", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	out += "github.com/inconshreveable/mousetrap" // cobra imports it on Windows, so other systems may not have it
	want := slices.Compact(slices.Sorted(strings.FieldsSeq(out)))
	want = slices.DeleteFunc(want, func(s string) bool { return s == "ocr" || s == "example/hello" })
	if got := slices.Sorted(slices.Values(used)); !slices.Equal(got, want) {
		t.Errorf("used are %q, want %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	for _, app := range []string{"a", strings.Repeat("long", 10)} {
		dir := filepath.Join(t.TempDir(), app)
		names, err := Write(dir, app, root)
		testrun.OK(t, err)
		slices.Sort(names)
		if want := []string{"app.go", "app_test.go", "go.mod", "go.sum", "main.go"}; !slices.Equal(names, want) {
			t.Errorf("files %v, want %v", names, want)
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			testrun.OK(t, err)
			if strings.Contains(string(text), "APP") {
				t.Errorf("%s has a name left out", name)
			}
			if formatted, err := format.Source(text); strings.HasSuffix(name, ".go") &&
				(err != nil || string(formatted) != string(text)) {
				t.Errorf("%s for %s: gofmt would change it, error %v", name, app, err)
			}
		}
	}
}

// TestNothingIsLeft: Write leaves no directory if it cannot write the whole module, and changes none that exists.
func TestNothingIsLeft(t *testing.T) {
	dir, source := t.TempDir(), t.TempDir()
	testrun.OK(t, os.WriteFile(filepath.Join(source, "go.mod"), []byte("module ocr\n"), 0o600))
	testrun.OK(t, os.Mkdir(filepath.Join(dir, "there"), 0o755))
	if _, err := Write(filepath.Join(dir, "app"), "app", source); err == nil { // no go.sum
		t.Error("a module without go.sum was written")
	}
	if _, err := Write(filepath.Join(dir, "there"), "app", root); err == nil {
		t.Error("a directory was replaced")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left: %v, error %v", entries, err)
	}
}

func TestRefused(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "a-b_2": true, strings.Repeat("x", 40): true, strings.Repeat("x", 41): false,
		"": false, "A": false, "2a": false, "-a": false, "a/b": false, "..": false, "a.b": false, "a b": false, "é": false,
	} {
		testrun.Equal(t, ok, IsName(name), "%q is a name", name)
	}
	other := t.TempDir()
	testrun.OK(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module ocr2\n"), 0o600))
	for dir, is := range map[string]bool{Source(): true, root: true, other: false, t.TempDir(): false, "nowhere": false} {
		testrun.Equal(t, is, IsSource(dir) == nil, "%s is the source", dir)
	}
}
