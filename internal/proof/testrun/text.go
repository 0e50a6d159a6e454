package testrun

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// A T is a test, or something in its place.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// An Ending is a T that can be ended.
type Ending interface {
	T
	Fatalf(format string, args ...any)
}

// Golden compares a text with a file in testdata.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		OK(t, os.WriteFile(path, []byte(got), 0o666))
	}
	Same(t, Read(t, path), got, "%s", path)
}

// Same fails the test if two values differ, and shows the difference. about is a format and its arguments, which
// describe the values.
func Same(t T, want, got any, about ...any) {
	if diff := cmp.Diff(want, got); diff != "" {
		t.Helper()
		t.Errorf("%s (-want +got):\n%s", text(about, "values differ"), diff)
	}
}

// Equal fails the test if two values differ, and shows both. about is as for Same.
func Equal[V comparable](t T, want, got V, about ...any) {
	if want != got {
		t.Helper()
		t.Errorf("%s: got %#v, want %#v", text(about, "values differ"), got, want)
	}
}

// text formats about, a format and its arguments. If about is empty, text returns its second argument.
func text(about []any, none string) string {
	if len(about) == 0 {
		return none
	}
	return fmt.Sprintf(about[0].(string), about[1:]...)
}

// OK ends the test if there is an error. about is as for Same.
func OK(t Ending, err error, about ...any) {
	if err != nil {
		t.Helper()
		t.Fatalf("%s: %v", text(about, "error"), err)
	}
}

// As returns the first error of this type in err's tree. It ends the test if there is none. about is as for Same.
func As[E error](t Ending, err error, about ...any) E {
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Helper()
		t.Fatalf("%s: got %v, want a %T", text(about, "error"), err, e)
	}
	return e
}

// Read returns the contents of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	OK(t, err)
	return string(b)
}

// Contains fails the test if a text lacks one of these parts.
func Contains(t T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// Fails fails the test if there is no error, or the error's text lacks part.
func Fails(t T, err error, part string, about ...any) {
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Helper()
		t.Errorf("%s: got %v, want an error with %q", text(about, "error"), err, part)
	}
}

// Is fails the test if errors.Is(err, target) is false.
func Is(t T, err, target error, about ...any) {
	if !errors.Is(err, target) {
		t.Helper()
		t.Errorf("%s: got %v, want %v", text(about, "error"), err, target)
	}
}
