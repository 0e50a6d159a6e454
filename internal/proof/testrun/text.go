package testrun

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// Golden compares a text with a file in testdata.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	Same(t, string(want), got, "%s", path)
}

// Same fails if two values differ, and says in what. The format is of what they are.
func Same(t testing.TB, want, got any, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(format+" (-want +got):\n%s", append(args, diff)...)
	}
}

// OK ends the test if there is an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns what is in a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	OK(t, err)
	return string(text)
}

// Contains fails if a text lacks one of these parts.
func Contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
