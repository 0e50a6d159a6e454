package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
)

// A module is the sources that mutants are made from, and what it takes to tell
// whether an edited file still compiles.
type module struct {
	dir      string
	fset     *token.FileSet
	imports  types.Importer
	packages []*source
	ladder   []rung
}

// A source is one package without its tests.
type source struct {
	name  string // as on the command line
	path  string // to import
	files []*file
}

// A file is one source file, parsed.
type file struct {
	name string // relative to the module
	path string
	text []byte
	tree *ast.File
}

// listed is what "go list" says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// goList runs "go list -json" with more arguments.
func goList(ctx context.Context, dir string, args ...string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
			return nil, fmt.Errorf("go list: %s", first)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// loadModule reads the packages with these directories in the module in dir.
func loadModule(ctx context.Context, dir string, packages []string) (*module, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	patterns := make([]string, len(packages))
	for k, p := range packages {
		patterns[k] = "./" + p
	}
	all, err := goList(ctx, root, append([]string{"-export", "-deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	m := &module{dir: root, fset: token.NewFileSet(), ladder: ladder}
	m.imports = importer.ForCompiler(m.fset, "gc", open)
	for _, name := range packages {
		k := slices.IndexFunc(all, func(p listed) bool { return p.Dir == filepath.Join(root, name) })
		if k < 0 {
			return nil, fmt.Errorf("no package %q", name)
		}
		src, err := m.parse(name, all[k])
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, src)
	}
	return m, nil
}

func (m *module) parse(name string, p listed) (*source, error) {
	src := &source{name: name, path: p.ImportPath}
	for _, base := range p.GoFiles {
		f := &file{name: filepath.Join(name, base), path: filepath.Join(p.Dir, base)}
		var err error
		if f.text, err = os.ReadFile(f.path); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(m.fset, f.path, f.text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		src.files = append(src.files, f)
	}
	return src, nil
}

// compiles reports whether a package still does with this edit.
func (m *module) compiles(src *source, e *edit) bool {
	edited, err := parser.ParseFile(m.fset, e.file.path, e.apply(), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	trees := []*ast.File{edited}
	for _, f := range src.files {
		if f != e.file {
			trees = append(trees, f.tree)
		}
	}
	conf := types.Config{Importer: m.imports, Sizes: types.SizesFor("gc", goruntime.GOARCH)}
	_, err = conf.Check(src.path, m.fset, trees, nil)
	return err == nil
}
