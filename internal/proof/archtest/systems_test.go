package archtest

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"

	"ocr/internal/proof/testrun"
)

// TestOtherSystems type-checks all packages, with their tests, as they are on other systems. Nothing is compiled: that
// would take the whole standard library once more for each system.
func TestOtherSystems(t *testing.T) {
	testrun.NeedsTools(t)
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	testrun.OK(t, err)
	for _, system := range []struct{ os, arch string }{{"darwin", "arm64"}, {"linux", "arm64"}} {
		t.Run(system.os+"/"+system.arch, func(t *testing.T) {
			all, err := gopackages.Load(&gopackages.Config{
				Mode: gopackages.LoadAllSyntax &^ gopackages.NeedTypesInfo, Dir: root, Tests: true,
				Env: append(os.Environ(), "GOOS="+system.os, "GOARCH="+system.arch, "CGO_ENABLED=0"),
				ParseFile: func(set *token.FileSet, name string, source []byte) (*ast.File, error) {
					f, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
					if f != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
						dropBodies(f)
					}
					return f, err
				},
			}, "./...")
			if err != nil || len(all) < 100 {
				t.Fatalf("%d packages, error %v", len(all), err)
			}
			for _, p := range all {
				if strings.HasSuffix(p.ID, ".test") {
					continue // the main function of tests, which go writes
				}
				for _, e := range p.Errors {
					t.Error(e)
				}
			}
		})
	}
}

// TestNeeds64Bits: a build for a processor of 32 bits ends at a name that says what is needed, in a package that every
// package with tables of objects imports.
func TestNeeds64Bits(t *testing.T) {
	const dir, file = "../../core/sys", "needs_64_bits.go"
	for arch, is64 := range map[string]bool{
		"386": false, "arm": false, "mips": false, "mipsle": false, "amd64": true, "arm64": true, "loong64": true,
		"mips64": true, "mips64le": true, "ppc64": true, "ppc64le": true, "riscv64": true, "s390x": true, "wasm": true,
	} {
		system := build.Default
		system.GOOS, system.GOARCH = "linux", arch
		p, err := system.ImportDir(dir, 0)
		testrun.OK(t, err)
		testrun.Same(t, !is64, slices.Contains(p.GoFiles, file), "%s is part of a program for %s", file, arch)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, filepath.Join(dir, file), nil, 0)
	testrun.OK(t, err)
	_, err = new(types.Config).Check("sys", set, []*ast.File{f}, nil)
	testrun.Fails(t, err, "undefined: needs64Bits")
}

// dropBodies leaves the declarations of a file: what its functions do is not checked.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Body = nil
		}
	}
}
