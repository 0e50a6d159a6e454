package tutorial_test

import (
	"go/ast"
	gobuild "go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// ocrCalls are the functions of OCR 1.2 and of its extensions.
const ocrCalls = `
ocrShutdown ocrAbort ocrGetArgc ocrGetArgv getArgc getArgv ocrPrintf PRINTF SNPRINTF ocrAssert ASSERT VERIFY
ocrVersionExtensionBitmap
ocrGuidIsNull ocrGuidIsUninitialized ocrGuidIsError ocrGuidIsEq ocrGuidIsLt ocrGetGuidKind
ocrEdtTemplateCreate ocrEdtTemplateDestroy ocrEdtCreate ocrEdtDestroy
ocrDbCreate ocrDbDestroy ocrDbRelease ocrDbDowngradeRelease ocrDbMalloc ocrDbMallocOffset ocrDbFree
ocrDbFreeOffset ocrDbCopy ocrDbGetSize
ocrEventCreate ocrEventCreateParams ocrEventDestroy ocrEventSatisfy ocrEventSatisfySlot
ocrEventCollectiveSatisfySlot
ocrAddDependence ocrAddDependenceSlot
ocrHintInit ocrHintSetValue ocrSetHintValue ocrHintUnsetValue ocrUnsetHintValue ocrHintGetValue
ocrGetHintValue ocrSetHint ocrGetHint
ocrAffinityCount ocrAffinityGet ocrAffinityGetAt ocrAffinityGetCurrent ocrAffinityQuery ocrAffinityToHintValue
ocrGuidRangeCreate ocrGuidRangeDestroy ocrGuidFromIndex ocrGuidMapCreate ocrGuidFromLabel ocrGuidMapDestroy
ocrGuidMapSetDefaultMap
ocrElsUserGet ocrElsUserSet ocrEdtLocalStorageGet ocrCurrentEdtGet currentEdtUserGet ocrCurrentEdtOutputGet
ocrNbWorkers ocrCurrentWorkerGuid
ocrInformLegacyCodeBlocking ocrParseArgs ocrLegacyInit ocrLegacyFinalize ocrLegacySpawnOCR
ocrLegacyBlockProgress ocrWait ocrLegacyIsChannelReady
ocrPause ocrQuery ocrResume ocrInjectFault
NULL_GUID UNINITIALIZED_GUID ERROR_GUID`

// short has what variables in the table stand for.
var short = map[string]string{
	"c.": "edt.Ctx.", "in.": "edt.Args.",
}

var (
	code   = regexp.MustCompile("`([^`]+)`")
	goName = regexp.MustCompile(`^\w+\.[A-Z]\w*(\.[A-Z]\w*)?$`)
)

// TestTableOfCalls: the tables have every call once, with names of Go that exist, or with why the call is not there.
func TestTableOfCalls(t *testing.T) {
	_, table, _ := strings.Cut(testrun.Read(t, "../tutorial.md"), "\n## From OCR's C calls to Go\n")
	table, _, _ = strings.Cut(table, "\n## ")
	seen, known := map[string]bool{}, map[string][]string{}
	absent := false // in the table of calls that Go lacks
	for line := range strings.Lines(table) {
		absent = absent || line == "### Not there\n"
		cells := strings.Split(line, "|")
		if len(cells) != 2 || !strings.Contains(cells[0], "`") {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(cells[0], -1) {
			if seen[m[1]] {
				t.Errorf("%s is there twice", m[1])
			}
			seen[m[1]] = true
		}
		names := code.FindAllStringSubmatch(cells[1], -1)
		if !absent && len(names) == 0 || strings.TrimSpace(cells[1]) == "" {
			t.Errorf("neither a name of Go nor a reason: %s", line)
		}
		called, _, _ := strings.Cut(cells[1], ";") // a note follows
		for k, m := range names {
			name := strings.TrimPrefix(m[1], "*")
			for from, to := range short {
				if strings.HasPrefix(name, from) {
					name = to + strings.TrimPrefix(name, from)
				}
			}
			if !goName.MatchString(name) {
				if !absent && k < len(code.FindAllString(called, -1)) {
					t.Errorf("not a name of Go: %s", m[1])
				}
				continue
			}
			path, _, _ := strings.Cut(name, ".")
			if known[path] == nil {
				known[path] = exported(t, path)
			}
			if !slices.Contains(known[path], name) {
				t.Errorf("there is no %s", name)
			}
		}
	}
	for call := range strings.FieldsSeq(ocrCalls) {
		if !seen[call] {
			t.Errorf("no table has %s", call)
		}
	}
}

// exported lists what a package exports: types, their fields and methods, functions, constants and variables.
func exported(t *testing.T, name string) (names []string) {
	t.Helper()
	dir := map[string]string{"par": "../../task/par", "edttest": "../../edt/edttest"}[name]
	if dir == "" {
		dir = "../../" + name
	}
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join(gobuild.Default.GOROOT, "src", name)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no package %s: %v", name, err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		testrun.OK(t, err)
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, name, doc.AllMethods)
	testrun.OK(t, err)
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, n := range v.Names {
				names = append(names, name+"."+n)
			}
		}
	}
	funcs := func(prefix string, all []*doc.Func) {
		for _, f := range all {
			names = append(names, prefix+f.Name)
		}
	}
	values(d.Consts)
	values(d.Vars)
	funcs(name+".", d.Funcs)
	for _, typ := range d.Types {
		names = append(names, name+"."+typ.Name)
		values(typ.Consts)
		values(typ.Vars)
		funcs(name+".", typ.Funcs)
		funcs(name+"."+typ.Name+".", typ.Methods)
		ast.Inspect(typ.Decl, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok {
				for _, id := range f.Names {
					names = append(names, name+"."+typ.Name+"."+id.Name)
				}
			}
			return true
		})
	}
	return names
}
