package scaffold

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..", "..")

// TestModule: what is written is right as it is: no other module has to be looked up, its tests pass and its command
// runs.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module and runs its tests, which takes seconds: not in short tests")
	}
	dir := filepath.Join(t.TempDir(), "with a space", "hello")
	if err := os.MkdirAll(dir, 0o755); err != nil { // an empty one may be there
		t.Fatal(err)
	}
	if _, err := Write(dir, "hello", root); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"vet", "."}, {"test", "."}, {"build", "-gcflags=-m", "."}, {"run", ".",
		"hello", "-n", "2000000", "--grain", "1000", "--samples", "2"}} {
		cmd := exec.CommandContext(t.Context(), "go", command...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", command, err, out)
		}
		switch text := string(out); {
		case command[0] == "build" && !strings.Contains(text, "inlining call to"):
			t.Errorf("the compiler says nothing of what it has inlined: %s", out)
		case command[0] == "build" && strings.Contains(text, "inlining call to squares"):
			t.Error("each form has a copy of the loop that all should call")
		case command[0] == "run" && !strings.HasPrefix(text, "hello: verified\n"):
			t.Errorf("the command prints\n%s", out)
		}
	}
}

func TestFiles(t *testing.T) {
	for _, app := range []string{"a", strings.Repeat("long", 10)} {
		dir := filepath.Join(t.TempDir(), app)
		names, err := Write(dir, app, root)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		if want := []string{"app.go", "app_test.go", "go.mod", "go.sum", "main.go"}; !slices.Equal(names, want) {
			t.Errorf("files %v, want %v", names, want)
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
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

// TestNothingIsLeft: a module that cannot be written whole is not there at all.
func TestNothingIsLeft(t *testing.T) {
	dir, source := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(source, "go.mod"), []byte("module ocr\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "file"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(filepath.Join(dir, "app"), "app", source); err == nil { // no go.sum
		t.Error("a module without go.sum was written")
	}
	if _, err := Write(full, "app", root); err == nil {
		t.Error("a directory with a file in it was replaced")
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
		if IsName(name) != ok {
			t.Errorf("%q: %v", name, !ok)
		}
	}
	if err := IsSource(Source()); err != nil {
		t.Errorf("the source %q: %v", Source(), err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		file + "x":         "there is no such directory",
		file:               "its go.mod cannot be read",
		t.TempDir():        "it has no go.mod",
		moduleOnly(t, ""):  "it has no package harness",
		moduleOnly(t, "2"): "its go.mod is not that of module ocr",
	} {
		if err := IsSource(dir); err == nil || err.Error() != want {
			t.Errorf("source %s: %v, want %s", dir, err, want)
		}
	}
	for dir, want := range map[string]string{file: "it exists, and is no directory that can be read",
		".": "it exists, and is not empty"} {
		if err := IsFree(dir); err == nil || err.Error() != want {
			t.Errorf("directory %s: %v, want %s", dir, err, want)
		}
	}
	if IsFree(t.TempDir()) != nil || IsFree(file+"x") != nil {
		t.Error("an empty directory, or none, is refused")
	}
}

// moduleOnly makes a directory with nothing but the go.mod of module ocr and what is behind its name.
func moduleOnly(t *testing.T, suffix string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module ocr"+suffix+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
