// Package tutorial_test checks that the programs of this directory, their output, and the texts that show them agree.
package tutorial_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// texts are the documents that show programs.
var texts = []string{"../tutorial.md", "../../README.md"}

// A shown program is a program in a text, whole or an excerpt, and the output that the text shows. A program that no
// text shows has its output in a comment at its end.
type shown struct{ text, program, output string }

var outputAtEnd = regexp.MustCompile(`(?s)\n// Output:\n(// .*)$`)

var fence = regexp.MustCompile("(?s)```go\n(// Command .*?)```(.*?)\n```\n(.*?)```")

// excerpt returns a program without its package clause and imports, and without main if main is as in most programs.
func excerpt(program string) string {
	return usualMain.ReplaceAllString(head.ReplaceAllString(program, ""), "")
}

var (
	head      = regexp.MustCompile(`(?ms)^package main\n\nimport \(.*?^\)\n`)
	usualMain = regexp.MustCompile(`\nfunc main\(\) \{
	if err := runtime\.Run\(context\.Background\(\), task\.Main\(start\)\); err != nil \{
		log\.Fatal\(err\)
	\}
\}
$`)
)

// read returns the programs that a text shows.
func read(t *testing.T, name string) (all []shown) {
	t.Helper()
	text := testrun.Read(t, name)
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		all = append(all, shown{name, m[1], m[3]})
	}
	if n := strings.Count(text, "```go\n// Command "); n != len(all) || n == 0 {
		t.Fatalf("%s has %d programs, %d with an output", name, n, len(all))
	}
	return all
}

// fits reports whether a program has printed what a text says: "..." is anything within a line.
func fits(t *testing.T, want, got string) bool {
	t.Helper()
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), `\.\.\.`, ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got))
}

// TestPrograms: a text shows each program of this directory whose output is not at its end, and no other; each program
// prints what is said.
func TestPrograms(t *testing.T) {
	testrun.NeedsTools(t)
	sources, names := map[string]string{}, map[string]string{} // the name of each program by its text; by its excerpt too
	files, err := filepath.Glob("*.go")
	testrun.OK(t, err)
	for _, file := range files {
		// "go run FILE" does not mind the constraint.
		if program, ok := strings.CutPrefix(testrun.Read(t, file), "//go:build ignore\n\n"); ok {
			name := strings.TrimSuffix(file, ".go")
			sources[program], names[program], names[excerpt(program)] = name, name, name
		}
	}
	all, said := build(t, sources), map[string]bool{}
	check := func(name string, s shown) {
		said[name] = true
		t.Run(filepath.Base(s.text)+"/"+name, func(t *testing.T) {
			t.Parallel()
			out, err := exec.CommandContext(t.Context(), all, name).CombinedOutput()
			if strings.Contains(s.program, "runtime.Ranks(") { // this build has no MPI
				if err == nil || !strings.Contains(string(out), "CC=mpicc go install -tags mpi") {
					t.Errorf("error %v; printed\n%s\nwant how to get MPI", err, out)
				}
				return
			}
			if err != nil || !fits(t, s.output, string(out)) {
				t.Errorf("error %v; printed\n%s\nbut %s says\n%s", err, out, s.text, s.output)
			}
		})
	}
	for _, text := range texts {
		for _, s := range read(t, text) {
			if name, ok := names[s.program]; ok {
				check(name, s)
			} else {
				t.Errorf("%s shows a program that is not in docs/tutorial:\n%s", text, s.program)
			}
		}
	}
	for program, name := range sources {
		if m := outputAtEnd.FindStringSubmatch(program); m != nil {
			output := strings.ReplaceAll(strings.ReplaceAll(m[1], "// ", ""), "\n//\n", "\n\n")
			check(name, shown{name + ".go", program, output})
		}
		if !said[name] {
			t.Errorf("docs/tutorial/%s.go: neither README.md nor docs/tutorial.md nor its end says what it prints", name)
		}
	}
}

// build makes one program of all sources, which is quicker than a program of each: each source becomes a package, and
// its main Main. The argument of the program says which Main runs.
func build(t *testing.T, sources map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := map[string]string{}
	put := func(name, source string) {
		real := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		testrun.OK(t, os.WriteFile(real, []byte(source), 0o600))
		at, err := filepath.Abs(name)
		testrun.OK(t, err)
		overlay[at] = real
	}
	var imports, cases strings.Builder
	for source, name := range sources {
		exported := strings.NewReplacer("\npackage main\n", "\npackage "+name+"\n", "\nfunc main() {", "\nfunc Main() {")
		line := "//line " + name + ".go:3\n" // that of the source in its own file, so that errors name the same lines
		put(name+"/main.go", line+exported.Replace(source))
		fmt.Fprintf(&imports, "import %q\n", "ocr/docs/tutorial/"+name)
		fmt.Fprintf(&cases, "case %q: %s.Main()\n", name, name)
	}
	put("all/main.go", "package main\n"+imports.String()+"import \"os\"\nfunc main() { switch os.Args[1] {\n"+
		cases.String()+"default: os.Exit(3)\n} }\n")
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	testrun.OK(t, err)
	testrun.OK(t, os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600))
	all := filepath.Join(dir, "all")
	quick := []string{"-gcflags=ocr/docs/tutorial/...=-N -l", "-ldflags=-s -w"} // these make the build quick
	args := append([]string{"build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", all}, quick...)
	args = append(args, "ocr/docs/tutorial/all")
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return all
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		want, got string
		fit       bool
	}{
		{"one\ntwo\n", "one\ntwo", true},
		{"one ... two", "one 17 two", true},
		{"one ... two", "one\n two", false},
		{"one", "one more", false},
		{"[1.5]", "[115]", false},
	} {
		if fits(t, test.want, test.got) != test.fit {
			t.Errorf("%q fits %q: %v", test.got, test.want, !test.fit)
		}
	}
}
