// Package archtest checks the rules of docs/ARCHITECTURE.md on which package may import which.
package archtest

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

type pkg struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

// packages lists the module's packages for a system, without their tests.
func packages(t *testing.T, goos string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	out, err := cmd.Output()
	testrun.OK(t, err, "go list")
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		testrun.OK(t, err)
		all = append(all, p)
	}
	if len(all) < 5 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	return all
}

// layers says what a package may import of the module. The first prefix that fits a package counts; under internal
// there is a rule for each wing, and before it one for those of its packages that may import less or need more.
var layers = []struct {
	of  string
	may []string
}{
	{"ocr/guid", []string{"ocr/internal/core/ids"}},
	{"ocr/datablock", []string{"ocr/guid", "ocr/internal/core/dep"}},
	{"ocr/edt/edttest", []string{"ocr/edt", "ocr/guid", "ocr/datablock", "ocr/internal/rank", "ocr/internal/core"}},
	{"ocr/edt", []string{"ocr/guid", "ocr/datablock", "ocr/internal/core/ids", "ocr/internal/core/dep",
		"ocr/internal/core/block", "ocr/internal/core/word",
		"ocr/internal/core/window", "ocr/internal/graph"}}, // nothing of ranks
	{"ocr/task/par", []string{"ocr/guid", "ocr/datablock", "ocr/edt", "ocr/task"}},
	{"ocr/task", []string{"ocr/guid", "ocr/datablock", "ocr/edt"}},
	{"ocr/runtime", []string{"ocr/guid", "ocr/datablock", "ocr/edt", "ocr/runtime/finding",
		"ocr/internal/core", "ocr/internal/rank", "ocr/internal/watch/check", "ocr/internal/measure/machine"}},
	{"ocr/observe/stats", nil},
	{"ocr/observe", []string{"ocr/guid", "ocr/edt", "ocr/runtime", "ocr/observe/stats",
		"ocr/internal/watch", "ocr/internal/show/report", "ocr/internal/core/sys"}},
	{"ocr/harness/trialtest", []string{"ocr/runtime", "ocr/edt", "ocr/apps/trial", "ocr/internal/proof/testrun"}},
	{"ocr/harness", []string{"ocr/apps/trial", "ocr/internal/command",
		"ocr/internal/measure/testbed", "ocr/internal/measure/suite/app", "ocr/internal/show/report"}},
	// apps/trial has the clock, and pauses and yields of loops that poll.
	{"ocr/apps/trial", []string{"ocr/datablock", "ocr/edt", "ocr/guid", "ocr/task", "ocr/internal/core/sys"}},
	{"ocr/apps", []string{"ocr/guid", "ocr/datablock", "ocr/edt", "ocr/task", "ocr/apps"}},
	{"ocr/cmd", []string{"ocr"}},
	{"ocr/docs/results", []string{"ocr/internal/show/report", "ocr/internal/measure/bench"}},
	{"ocr/docs", nil}, // tests alone: the tutorial's programs are built as a user's are

	{"ocr/internal/core/ids", []string{"ocr/internal/core/sys"}}, // memory off the Go heap
	{"ocr/internal/core/dep", []string{"ocr/guid"}},
	{"ocr/internal/core/block", []string{"ocr/guid", "ocr/datablock", "ocr/internal/core"}},
	{"ocr/internal/core/sys", nil},
	{"ocr/internal/core/word", []string{"ocr/internal/core/sys"}}, // futexes, barriers, pauses
	{"ocr/internal/core", []string{"ocr/internal/core"}},
	{"ocr/internal/graph/plan", []string{"ocr/datablock"}},
	{"ocr/internal/graph/record", []string{"ocr/internal/core/word"}},
	{"ocr/internal/graph/site", []string{"ocr/guid"}},
	{"ocr/internal/rank/remote", []string{"ocr/guid", "ocr/datablock", "ocr/edt",
		"ocr/internal/core", "ocr/internal/rank"}},
	{"ocr/internal/rank", []string{"ocr/internal/core", "ocr/internal/rank"}},
	{"ocr/internal/watch", []string{"ocr/guid", "ocr/datablock", "ocr/edt", "ocr/runtime/finding", "ocr/observe/stats",
		"ocr/internal/core", "ocr/internal/graph/site", "ocr/internal/watch", "ocr/internal/show/report"}},
	{"ocr/internal/show", []string{"ocr/internal/core", "ocr/internal/show",
		"ocr/internal/measure/bench", "ocr/internal/measure/machine"}},
	{"ocr/internal/measure/bench", []string{"ocr/internal/core"}},
	{"ocr/internal/measure/machine", []string{"ocr/internal/core"}},
	{"ocr/internal/measure/cbaseline", []string{"ocr/apps/c2c", "ocr/internal/measure/cbuild"}},
	{"ocr/internal/measure/cbuild", nil},
	{"ocr/internal/measure/peers", []string{
		"ocr/apps/trial", "ocr/internal/measure/bench", "ocr/internal/measure/cbuild"}},
	{"ocr/internal/measure/testbed/taskgraph", []string{"ocr/apps/taskbench", "ocr/internal"}},
	{"ocr/internal/measure/testbed", []string{"ocr/runtime", "ocr/observe", "ocr/edt", "ocr/apps/trial",
		"ocr/internal/core", "ocr/internal/rank", "ocr/internal/watch", "ocr/internal/show", "ocr/internal/measure"}},
	{"ocr/internal/measure/suite", []string{"ocr/runtime", "ocr/guid", "ocr/datablock", "ocr/edt", "ocr/task", "ocr/apps",
		"ocr/observe", "ocr/internal/core", "ocr/internal/watch", "ocr/internal/show", "ocr/internal/measure"}},
	{"ocr/internal/command/cli", []string{"ocr/internal/core", "ocr/internal/show/report"}},
	{"ocr/internal/command", []string{"ocr/runtime", "ocr/edt/edttest", "ocr/apps/trial", "ocr/internal/core",
		"ocr/internal/rank", "ocr/internal/watch", "ocr/internal/show", "ocr/internal/measure", "ocr/internal/command"}},
	{"ocr/internal/proof", []string{"ocr/guid", "ocr/datablock", "ocr/edt",
		"ocr/internal/core", "ocr/internal/rank", "ocr/internal/proof"}},
}

func below(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func belowAny(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return below(path, p) })
}

// violations lists the imports of a package that its layer does not allow.
func violations(p *pkg) []string {
	for _, l := range layers {
		if !below(p.ImportPath, l.of) {
			continue
		}
		return slices.DeleteFunc(slices.Clone(p.Imports), func(imp string) bool {
			return (!below(imp, "ocr") || belowAny(imp, l.may)) && mayUse(p.ImportPath, imp)
		})
	}
	return []string{"(no rule for this package)"}
}

// doors are imports that of some packages only few may have.
var doors = []struct {
	imported string
	of, but  []string
}{
	{"golang.org/x/sys/unix", []string{"ocr"}, []string{"ocr/internal/core/sys"}}, // one talks to the operating system
	{"C", []string{"ocr"}, nil}, // no cgo
	// What two suites need is not in one of them.
	{"ocr/internal/measure/suite", []string{"ocr"}, []string{"ocr/cmd", "ocr/harness"}},
	// What workers share in the core is a word of package word, so that explorations run it. Exempt are word itself, the
	// tables of ids and the memory of block.
	{"sync/atomic", []string{"ocr/guid", "ocr/edt", "ocr/internal/graph", "ocr/internal/core"},
		[]string{"ocr/internal/core/word", "ocr/internal/core/ids", "ocr/internal/core/block"}},
}

// mayUse reports whether the doors leave an import to a package.
func mayUse(path, imp string) bool {
	for _, d := range doors {
		if below(imp, d.imported) && belowAny(path, d.of) && !belowAny(path, d.but) && !below(path, imp) {
			return false
		}
	}
	return true
}

func TestLayers(t *testing.T) {
	for _, goos := range []string{"linux", "darwin"} {
		for _, p := range packages(t, goos) {
			for _, imp := range violations(&p) {
				t.Errorf("%s: %s must not import %s", goos, p.ImportPath, imp)
			}
		}
	}
}

// TestStandardRuntimeHasItsOwnName: "runtime" means ours.
func TestStandardRuntimeHasItsOwnName(t *testing.T) {
	for _, p := range packages(t, "linux") {
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		testrun.OK(t, err)
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Errorf("%v", err)
				continue
			}
			for _, imp := range f.Imports {
				if imp.Path.Value == `"runtime"` && (imp.Name == nil || imp.Name.Name != "goruntime") {
					t.Errorf("%s imports the standard runtime under a name other than goruntime", name)
				}
			}
		}
	}
}

// TestRulesCanFail: the rules find what they forbid.
func TestRulesCanFail(t *testing.T) {
	for _, tc := range []struct {
		path, imp string
		bad       bool
	}{
		{"ocr/edt", "ocr/runtime", true},
		{"ocr/edt", "ocr/internal/rank/remote", true},
		{"ocr/edt/edttest", "ocr/internal/rank/remote", false}, // the first prefix that fits counts
		{"ocr/task", "ocr/task/par", true},                     // one's own name allows no import
		{"ocr/apps/hello", "ocr/task/par", false},              // a prefix allows what is below it
		{"ocr/cmd/ocrbench", "ocr/runtime", false},
		{"ocr/internal/elsewhere", "fmt", true}, // there is no rule for it
		{"ocr/edt", "sync/atomic", true},
		{"ocr/runtime", "sync/atomic", false},
		{"ocr/runtime", "golang.org/x/sys/unix", true},
		{"ocr/internal/core/sys", "C", true},
		{"ocr/internal/measure/suite/c2c", "ocr/internal/measure/suite/app", true},
		{"ocr/elsewhere", "fmt", true},
	} {
		got := violations(&pkg{ImportPath: tc.path, Imports: []string{"fmt", tc.imp}})
		testrun.Equal(t, tc.bad, (len(got) > 0), "%s imports %s: violations %v, want some", tc.path, tc.imp, got)
	}
}
