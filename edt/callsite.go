package edt

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// A position is where a call stands in the app. It is kept as program counters, innermost first, and becomes a line
// when a report asks for it: that takes longer than most calls.
type position struct {
	pcs  [positionDepth]uintptr // up to the first 0
	body *Template              // whose body's line it is if no frame is the app's; nil for none
	file string                 // of a position that has come from another rank,
	no   int                    // and its line
}

// positionDepth is more than the functions of this package and of layers on it that a call goes through.
const positionDepth = 24

// callSite returns the position of the call that is under way.
func (c *Ctx) callSite() (p position) {
	if p.body = c.runs(); c.blamed != 0 {
		p.pcs[0] = c.blamed
		return p
	}
	goruntime.Callers(3, p.pcs[:])
	return p
}

// line returns the app's file and line: its first frame, or, if a call was not made by a body but
// at its end, where the body stands.
func (p *position) line() (file string, line int) {
	if p.file != "" {
		return p.file, p.no
	}
	n := 0
	for n < len(p.pcs) && p.pcs[n] != 0 {
		n++
	}
	if n > 0 {
		frames := goruntime.CallersFrames(p.pcs[:n])
		for more := true; more; {
			var f goruntime.Frame
			f, more = frames.Next()
			if isDoor(f.Function) {
				break
			}
			if ofApp(&f) {
				return filepath.Base(f.File), f.Line
			}
		}
	}
	if p.body == nil {
		return "", 0
	}
	return p.body.bodySite()
}

// runs returns the template of the EDT that runs, nil if none does.
func (c *Ctx) runs() *Template {
	if c.current == 0 {
		return nil
	}
	return c.g.template(c.running())
}

// CallSite is for observers: it returns the app's line of the call that is being
// reported to one, "" if no body makes it. The newest frames are the observer's, the next those of this package
// that have called it.
func CallSite() string {
	var pcs [64]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
	told := false
	for more := true; more; {
		var f goruntime.Frame
		f, more = frames.Next()
		switch {
		case isDoor(f.Function):
			return ""
		case ours(&f):
			told = true
		case told && ofApp(&f):
			return place(&f)
		}
	}
	return ""
}

// PanicSite is for observers: it returns the app's line of the panic that is being reported to one, "" if there is
// none. If the app has called the standard library, it is the line of that call.
func PanicSite() string { return panicSite() }

// panicSite returns the app's line of the latest panic, or call of Goexit, on the stack, "" if there is none.
func panicSite() string {
	frames, behind := goruntime.CallersFrames(wholeStack()), false
	for more := true; more; {
		var f goruntime.Frame
		f, more = frames.Next()
		switch {
		case isDoor(f.Function):
			return ""
		case f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit":
			behind = true
		case behind && ofApp(&f):
			return place(&f)
		}
	}
	return ""
}

// panickedIn returns the call by the app in which the latest panic on the stack arose, such as "task.Task0.New"; "" if
// it arose in the app itself.
func panickedIn() (call string) {
	frames, behind := goruntime.CallersFrames(wholeStack()), false
	for more := true; more; {
		var f goruntime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			behind, call = true, ""
		case !behind || standard(&f):
		case !ours(&f):
			return call
		default:
			call = nameOfCall(&f)
		}
	}
	return ""
}

// nameOfCall names a function of ours as a program does: "par.Value.Take".
func nameOfCall(f *goruntime.Frame) string {
	return callName.Replace(f.Function[strings.LastIndex(f.Function, "/")+1:])
}

var callName = strings.NewReplacer("(*", "", ")", "", "[...]", "")

func place(f *goruntime.Frame) string { return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line) }

// library is the directory of the standard library, with a slash; "" if the build has
// taken it out of the names of files.
var library = func() string {
	f, _ := goruntime.CallersFrames([]uintptr{reflect.ValueOf(goruntime.GC).Pointer() + 1}).Next()
	dir, _, _ := strings.Cut(f.File, "runtime/mgc.go")
	return dir
}()

// modules are the paths of the program's modules, and of packages that belong to none; nil if the build does not tell
// them.
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

// inModule reports whether a package is of one of the modules.
func inModule(pkg string) bool {
	pkg = strings.TrimSuffix(pkg, "_test")
	return slices.ContainsFunc(modules, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
}

// standard reports whether a frame is of the standard library: its function is, or its file. A literal of the library
// that was inlined has the app's name, and the library's file, of which -trimpath leaves package and name.
func standard(f *goruntime.Frame) bool {
	if library != "" && strings.HasPrefix(f.File, library) || strings.HasPrefix(f.Function, "runtime.") {
		return true
	}
	if modules == nil {
		return false
	}
	dir, _, _ := strings.Cut(filepath.Dir(f.File), "@") // of a module that is depended on, its version
	trimmed := library == "" && dir != "." && !filepath.IsAbs(dir)
	return !inModule(packageOf(f.Function)) || trimmed && !inModule(dir)
}

// packageOf returns the path of the package of a function.
func packageOf(function string) string {
	last := strings.LastIndex(function, "/") + 1
	name, _, _ := strings.Cut(function[last:], ".")
	return strings.ReplaceAll(function[:last]+name, "%2e", ".")
}

// ofApp reports whether a frame is of the app: neither of this package and its layers, nor of the standard library,
// which the app may have call this package.
func ofApp(f *goruntime.Frame) bool { return f.Function != "" && !ours(f) && !standard(f) }

// isDoor reports whether a function is one by which a host enters the graph: what is
// above it on the stack is the host's.
func isDoor(function string) bool {
	switch function {
	case "ocr/edt.(*Worker).Execute", "ocr/edt.(*Worker).Idle", "ocr/edt.(*Worker).Receive", "ocr/edt.(*Graph).Begin",
		"ocr/edt.(*Graph).Deliver", "ocr/edt.(*Graph).Leave":
		return true
	}
	return false
}

// source is the directory that this package was compiled in.
var source = func() string {
	_, file, _, _ := goruntime.Caller(0)
	return filepath.Dir(file)
}()

// ownPackages are this one, what it calls, layers on it, and check mode.
var ownPackages = []string{
	"runtime.", "ocr/edt.", "ocr/datablock.", "ocr/datablock/cell.", "ocr/task.", "ocr/task/par.",
	"ocr/internal/core/block.", "ocr/internal/core/dep.", "ocr/internal/core/ids.", "ocr/internal/core/sys.",
	"ocr/internal/rank/remote.", "ocr/internal/watch/check.", "ocr/runtime.Unpinned",
}

// ours reports whether a frame is of this package, of what it calls, or of check mode. A function
// literal that was inlined has the name of the function that it is now in, so the file
// counts as well.
func ours(f *goruntime.Frame) bool {
	for _, p := range ownPackages {
		if strings.HasPrefix(f.Function, p) {
			return true
		}
	}
	return filepath.Dir(f.File) == source && !strings.HasSuffix(f.File, "_test.go")
}

// A caller is what the stack shows about a call that was a misuse.
type caller struct {
	file     string // the app's line, or the line of the body
	line     int
	inRun    bool   // a host, or a body that a host runs, made the call
	panicked string // if a deferred call made the misuse during a panic, the place of the panic
}

// caller looks at the whole stack.
func (c *Ctx) caller() (at caller) {
	frames := goruntime.CallersFrames(wholeStack())
	panicking, misused := false, false
	for more := true; more; {
		var f goruntime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = at.panicked == ""
			misused = false
		case f.Function == "ocr/edt.(*Ctx).blame":
			misused = true // the panic is that of an earlier misuse, which is reported already
		case f.Function == "runtime.corostart": // a body that goes through an iter.Pull
			at.inRun = true
		case isDoor(f.Function):
			at.inRun = true
			if at.file == "" {
				at.file, at.line = c.bodySite()
			}
			return at
		case ofApp(&f):
			if at.file == "" {
				at.file, at.line = filepath.Base(f.File), f.Line
			}
			if panicking && !misused {
				at.panicked = place(&f)
			}
			panicking = false
		}
	}
	return at
}

// wholeStack returns the stack above the caller's caller, up to a depth that no recursive
// body should need.
func wholeStack() []uintptr {
	const skip, most = 4, 1 << 16
	for size := 64; ; size *= 8 {
		pcs := make([]uintptr, size)
		if n := goruntime.Callers(skip, pcs); n < size || size > most {
			return pcs[:n]
		}
	}
}

// bodySite returns the file:line of the running EDT's body, or of the call that [Ctx.Blame] names.
func (c *Ctx) bodySite() (file string, line int) {
	t := c.runs()
	if c.blamed != 0 {
		return (&position{pcs: [positionDepth]uintptr{c.blamed}, body: t}).line()
	}
	if t == nil {
		return "", 0
	}
	return t.bodySite()
}

// bodySite returns where the template's body stands.
func (t *Template) bodySite() (file string, line int) {
	var body any = t.fn
	if t.body != nil {
		body = t.body
	}
	pc := reflect.ValueOf(body).Pointer()
	file, line = goruntime.FuncForPC(pc).FileLine(pc)
	return filepath.Base(file), line
}

// strayed describes a call on a goroutine that is neither an EDT's nor a worker's. The
// EDT that the Ctx was given to is not known.
func (c *Ctx) strayed() string {
	how := "the call was not made on the goroutine of an EDT"
	if by := startedAt(debug.Stack()); by != "" {
		how = "the call was made on a goroutine started at " + by + ", not on that of an EDT"
	}
	return how
}

// StartSite is for observers: it returns the line at which the calling goroutine was started,
// "" for one that the program began with.
func StartSite() string { return startedAt(debug.Stack()) }

// startedAt finds in a stack where its goroutine was started, "" for a goroutine that
// the program began with. The stack ends with the function and, in a line of its own,
// the place.
func startedAt(stack []byte) string {
	_, last, ok := bytes.Cut(stack, []byte("\ncreated by "))
	if !ok {
		return ""
	}
	_, place, _ := strings.Cut(string(last), "\n")
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ")
	return filepath.Base(place)
}
