package site

import (
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// frames yields the frames of program counters, innermost first.
func frames(pcs []uintptr) func(yield func(f *goruntime.Frame) bool) {
	return func(yield func(f *goruntime.Frame) bool) {
		if len(pcs) == 0 {
			return
		}
		all := goruntime.CallersFrames(pcs)
		for more := true; more; {
			var f goruntime.Frame
			if f, more = all.Next(); !yield(&f) {
				return
			}
		}
	}
}

// wholeStack returns the stack above the caller's caller, up to a depth that no recursive body should need.
func wholeStack() []uintptr {
	const skip, most = 4, 1 << 16
	for size := 64; ; size *= 8 {
		pcs := make([]uintptr, size)
		if n := goruntime.Callers(skip, pcs); n < size || size > most {
			return pcs[:n]
		}
	}
}

// isDoor reports whether a function is one by which a host enters the graph: the frames above it are the host's.
func isDoor(function string) bool {
	switch function {
	case "ocr/edt.(*Worker).Execute", "ocr/edt.(*Worker).Idle", "ocr/edt.(*Worker).Receive", "ocr/edt.(*Graph).Begin",
		"ocr/edt.(*Graph).Deliver", "ocr/edt.(*Graph).Leave":
		return true
	}
	return false
}

// ofApp reports whether a frame is the app's: neither ours, nor of the standard library, through which the app may call
// us.
func ofApp(f *goruntime.Frame) bool { return f.Function != "" && !ours(f) && !standard(f) }

// ownPackages are Go's runtime, package edt, packages that edt calls, layers on edt, and check mode.
var ownPackages = []string{
	"runtime.", "ocr/edt.", "ocr/datablock.", "ocr/datablock/cell.", "ocr/task.", "ocr/task/par.",
	"ocr/internal/core/block.", "ocr/internal/core/dep.", "ocr/internal/core/ids.", "ocr/internal/core/sys.",
	"ocr/internal/graph/site.", "ocr/internal/rank/remote.", "ocr/internal/watch/check.",
}

// edtDir is the directory that package edt was compiled in.
var edtDir = func() string {
	_, file, _, _ := goruntime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../../edt")
}()

// ours reports whether a frame is of one of our packages. A function literal of package edt that was inlined has the
// name of the function that it is inlined in, so its file counts as well.
func ours(f *goruntime.Frame) bool {
	for _, p := range ownPackages {
		if strings.HasPrefix(f.Function, p) {
			return true
		}
	}
	return filepath.Dir(f.File) == edtDir && !strings.HasSuffix(f.File, "_test.go")
}

// library is the directory of the standard library, with a slash; "" if the build has removed directories from the
// names of files.
var library = func() string {
	file, _ := goruntime.FuncForPC(Code(goruntime.GC)).FileLine(Code(goruntime.GC))
	dir, _, _ := strings.Cut(file, "runtime/mgc.go")
	return dir
}()

// modules has the paths of the program's modules, and of packages that belong to no module; nil if the program has no
// build information.
var modules = func() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	paths := []string{"main", "command-line-arguments"}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != "" {
			paths = append(paths, m.Path)
		}
	}
	return paths
}()

// inModule reports whether a package belongs to one of the modules.
func inModule(pkg string) bool {
	pkg = strings.TrimSuffix(pkg, "_test")
	return slices.ContainsFunc(modules, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
}

// standard reports whether a frame is of the standard library, by its function or its file. An inlined function literal
// of the library has the app's name and the library's file. With -trimpath the file's path is only package and name.
func standard(f *goruntime.Frame) bool {
	if library != "" && strings.HasPrefix(f.File, library) || strings.HasPrefix(f.Function, "runtime.") {
		return true
	}
	if modules == nil {
		return false
	}
	dir, _, _ := strings.Cut(filepath.Dir(f.File), "@") // without the version of a dependency
	trimmed := library == "" && dir != "." && !filepath.IsAbs(dir)
	return !inModule(packageOf(f.Function)) || trimmed && !inModule(dir)
}

// packageOf returns the path of a function's package.
func packageOf(function string) string {
	last := strings.LastIndex(function, "/") + 1
	name, _, _ := strings.Cut(function[last:], ".")
	return strings.ReplaceAll(function[:last]+name, "%2e", ".")
}

// lineOf returns the place of a frame as file:line.
func lineOf(f *goruntime.Frame) string { return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line) }

// nameOfCall names a function of ours as a program does: "task.Event.Satisfy".
func nameOfCall(f *goruntime.Frame) string {
	return callName.Replace(f.Function[strings.LastIndex(f.Function, "/")+1:])
}

var callName = strings.NewReplacer("(*", "", ")", "", "[...]", "")
