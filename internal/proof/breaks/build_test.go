//go:build explore

package breaks

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// All breaks of a package are built into one program of its tests, as building takes longer than exploring. A function
// that breaks edit has a variant for each break, and begins by calling the variant of the break that is on.

// variable is the environment variable with the number of the break that is on.
const variable = "OCR_BREAK"

// breakOn is a file that reads the variable, for each package.
const breakOn = `package %s

import (
	"os"
	"strconv"
)

var breakOn, _ = strconv.Atoi(os.Getenv(%q))
`

// build builds the tests of a package with the breaks of a group, which are numbered from 1.
func build(t *testing.T, pack string, group []broken) (binary string) {
	dir, replace := t.TempDir(), make(map[string]string)
	put := func(path, code string) {
		if replace[path] == "" {
			replace[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		}
		testrun.OK(t, os.WriteFile(replace[path], []byte(code), 0o600), "write")
	}
	files := make(map[string]*source)
	for k, b := range group {
		path := filepath.Join(root(t), b.file)
		if files[path] == nil {
			files[path] = read(t, path)
		}
		files[path].add(t, b, k+1)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		put(path, files[path].String())
		put(filepath.Join(filepath.Dir(path), "break_on.go"), fmt.Sprintf(breakOn, files[path].name, variable))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	testrun.OK(t, err, "overlay")
	list := filepath.Join(dir, "overlay.json")
	testrun.OK(t, os.WriteFile(list, overlay, 0o600), "write")
	binary = filepath.Join(dir, "breaks.test")
	cmd := exec.Command("go", "test", "-c", "-o", binary, "-vet=off", "-tags", "explore", "-overlay", list, "./"+pack)
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// A source is a file with breaks.
type source struct {
	path, code string
	name       string              // of the package
	calls      map[string][]string // by function: the code with which it begins
	variants   []string
}

func read(t *testing.T, path string) *source {
	code, err := os.ReadFile(path)
	testrun.OK(t, err, "read")
	s := &source{path: path, code: string(code), calls: make(map[string][]string)}
	s.name = parse(t, path, s.code).Name.Name
	return s
}

func parse(t *testing.T, path, code string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), path, code, 0)
	testrun.OK(t, err, "parse %s", path)
	return file
}

// add adds a break.
func (s *source) add(t *testing.T, b broken, number int) {
	edited := strings.Replace(s.code, b.old, b.new, 1)
	before, after := functions(parse(t, s.path, s.code)), functions(parse(t, s.path, edited))
	found := false
	for key, f := range after {
		text := edited[f.Pos()-1 : f.End()-1]
		if old := before[key]; old == nil || s.code[old.Pos()-1:old.End()-1] == text {
			continue
		}
		found = true
		variant := fmt.Sprintf("%sBroken%d", f.Name.Name, number)
		at := int(f.Name.Pos() - f.Pos())
		s.variants = append(s.variants, text[:at]+variant+text[at+len(f.Name.Name):])
		s.calls[key] = append(s.calls[key], call(f, variant, number))
	}
	if !found {
		t.Fatalf("%s: no function of %s is edited", b.name, b.file)
	}
}

// functions are those of a file, by receiver and name.
func functions(file *ast.File) map[string]*ast.FuncDecl {
	all := make(map[string]*ast.FuncDecl)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all[key(f)] = f
		}
	}
	return all
}

func key(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return fmt.Sprint(f.Recv.List[0].Type) + f.Name.Name
}

// call is the code that calls the variant of a function if its break is on.
func call(f *ast.FuncDecl, variant string, number int) string {
	var args []string
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			args = append(args, name.Name)
		}
	}
	c := fmt.Sprintf("%s(%s)", variant, strings.Join(args, ", "))
	if f.Recv != nil {
		c = f.Recv.List[0].Names[0].Name + "." + c
	}
	if f.Type.Results != nil {
		return fmt.Sprintf(" if breakOn == %d { return %s };", number, c)
	}
	return fmt.Sprintf(" if breakOn == %d { %s; return };", number, c)
}

// String is the file with its breaks.
func (s *source) String() string {
	file, err := parser.ParseFile(token.NewFileSet(), s.path, s.code, 0)
	if err != nil {
		panic(err) // it was parsed before
	}
	var b strings.Builder
	at := 0
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && s.calls[key(f)] != nil {
			body := int(f.Body.Lbrace)
			b.WriteString(s.code[at:body] + strings.Join(s.calls[key(f)], ""))
			at = body
		}
	}
	b.WriteString(s.code[at:])
	for _, v := range s.variants {
		b.WriteString("\n" + v + "\n")
	}
	return b.String()
}
