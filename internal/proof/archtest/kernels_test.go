package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestKernelsAreNotCopied checks that, as ocrbench is built, the forms of an app call one copy of its kernel. A loop
// that the compiler copies into each form has another address in each copy. One copy may cross a line of 64 bytes that
// another does not, and then takes half as long again.
func TestKernelsAreNotCopied(t *testing.T) {
	if !testrun.Nightly() {
		t.Skip("compiles all apps: .ci/full does")
	}
	kernels, err := filepath.Glob("../../../apps/*/kernel.go")
	if err != nil || len(kernels) < 5 {
		t.Fatalf("%d apps have a kernel.go, want 5 or more: %v", len(kernels), err)
	}
	profile, err := filepath.Abs("../../../cmd/ocrbench/default.pgo")
	testrun.OK(t, err)
	// The profile is for the compiler alone: with -pgo the go command would compile all that the apps import with it.
	cmd := exec.CommandContext(t.Context(), "go", "build", "-pgo=off", "-gcflags=-m -pgoprofile="+profile, "./apps/...")
	cmd.Dir = "../../.."
	out, err := cmd.CombinedOutput()
	testrun.OK(t, err, "%.2000s", out)
	inlined := map[string][]string{} // by directory and function, the files that have a copy
	for _, m := range inliningCall.FindAllStringSubmatch(string(out), -1) {
		if at := m[1] + " " + m[3]; !slices.Contains(inlined[at], m[2]) {
			inlined[at] = append(inlined[at], m[2])
		}
	}
	if len(inlined) < 100 {
		t.Fatalf("the compiler has inlined %d functions, want some hundreds: its messages are others now", len(inlined))
	}
	for _, kernel := range kernels {
		dir := "apps/" + filepath.Base(filepath.Dir(kernel))
		for _, name := range loops(t, kernel) {
			if files := inlined[dir+" "+name]; len(files) > 1 {
				t.Errorf("%s: the loop of %s is copied into %v: mark it //go:noinline", kernel, name, files)
			}
		}
	}
}

var inliningCall = regexp.MustCompile(`(?m)^(apps/\w+)/(\w+\.go):\d+:\d+: inlining call to (\S+)$`)

// loops returns the functions of a file that have a loop, as the compiler names them.
func loops(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	testrun.OK(t, err)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		has := false
		ast.Inspect(f, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				has = true
			}
			return !has
		})
		if has {
			names = append(names, named(f))
		}
	}
	return names
}

func named(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	switch receiver := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		if id, ok := receiver.X.(*ast.Ident); ok {
			return "(*" + id.Name + ")." + f.Name.Name
		}
	case *ast.Ident:
		return receiver.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
