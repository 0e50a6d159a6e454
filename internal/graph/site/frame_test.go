package site

import (
	goruntime "runtime"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestStandard checks which frames count as the standard library's: with full paths of files, with paths of which
// -trimpath keeps package and name alone, and in a program whose build has no list of modules.
func TestStandard(t *testing.T) {
	defer func(dir string, paths []string) { library, modules = dir, paths }(library, modules)
	known := []string{"main", "command-line-arguments", "text", "example.com/go.app", "golang.org/x/perf"}
	const src = "/usr/local/go/src/"
	for _, x := range []struct {
		library        string
		modules        []string
		function, file string
		want           bool
	}{
		{src, known, "strings.Repeat", src + "strings/strings.go", true},
		{src, known, "main.body.OnceFunc.func2", src + "sync/oncefunc.go", true}, // a literal that was inlined
		{src, known, "main.body", "/home/ada/strings/strings.go", false},
		{src, nil, "slices.SortFunc[...]", src + "slices/sort.go", true},
		{src, nil, "smoke/part.body", "/home/ada/part/x.go", false},
		{"", known, "strings.Repeat", "strings/strings.go", true},
		{"", known, "regexp/syntax.(*Regexp).CapNames", "regexp/syntax/regexp.go", true},
		{"", known, "vendor/golang.org/x/net/http2.x", "vendor/golang.org/x/net/http2.go", true},
		{"", known, "main.body.OnceFunc.func2", "sync/oncefunc.go", true},
		{"", known, "main.main", "example.com/go.app/main.go", false},
		{"", known, "main.main", "./main.go", false},
		{"", known, "main.main", "command-line-arguments/main.go", false},
		{"", known, "example.com/go%2eapp.Body", "example.com/go.app/body.go", false},
		{"", known, "example.com/go%2eapp_test.TestBody", "example.com/go.app/body_test.go", false},
		{"", known, "text/part.(*T[...]).body", "text/part/t.go", false},
		{"", known, "golang.org/x/perf/benchfmt.x", "golang.org/x/perf@v0.1.0/benchfmt/x.go", false},
		{"", known, "runtime.sigpanic", "runtime/signal_unix.go", true},
		{"", nil, "runtime.sigpanic", "runtime/signal_unix.go", true},
		{"", nil, "smoke/part.body", "smoke/part/x.go", false},
	} {
		library, modules = x.library, x.modules
		got := standard(&goruntime.Frame{Function: x.function, File: x.file})
		testrun.Same(t, x.want, got, "%s in %s, library %q, modules %q", x.function, x.file, x.library, x.modules)
	}
}
