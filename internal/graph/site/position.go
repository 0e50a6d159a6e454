package site

import (
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
)

// A Position is where a call stands in the app. It keeps program counters, innermost first, and finds the line only
// when it is asked for, because the search takes longer than most calls. The zero Position is unknown.
type Position struct {
	pcs  [depth]uintptr // up to the first 0
	body uintptr        // code of the body whose line stands for the call if no frame is the app's, 0 for none
	file string         // the line, if a [Log] has looked it up
	line int
}

// depth is more than the number of functions of package edt, and of layers on it, that a call goes through.
const depth = 24

// Here returns the position of a call that is under way. skip is the number of frames between Here and the first that
// may be the app's; body is the code of the body that runs, see [Code].
func Here(skip int, body uintptr) Position {
	p := Position{body: body}
	goruntime.Callers(skip+2, p.pcs[:])
	return p
}

// At returns the position of a call that returns to these program counters, innermost first.
func At(body uintptr, pcs ...uintptr) Position {
	p := Position{body: body}
	copy(p.pcs[:], pcs)
	return p
}

// Line returns the file and line of the app's first frame. A call that the runtime makes at the end of a body has no
// such frame: for it Line returns the place of the body, or "" if that is not known.
func (p *Position) Line() (file string, line int) {
	if p.file != "" {
		return p.file, p.line
	}
	n := 0
	for n < len(p.pcs) && p.pcs[n] != 0 {
		n++
	}
	for f := range frames(p.pcs[:n]) {
		if isDoor(f.Function) {
			break
		}
		if ofApp(f) {
			return filepath.Base(f.File), f.Line
		}
	}
	return CodeLine(p.body)
}

// String returns the line as file:line, "" if it is not known.
func (p *Position) String() string {
	file, line := p.Line()
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Code returns the address of a function's code.
func Code(function any) uintptr { return reflect.ValueOf(function).Pointer() }

// CodeLine returns where a function stands, by its code; "" for 0.
func CodeLine(code uintptr) (file string, line int) {
	if code == 0 {
		return "", 0
	}
	file, line = goruntime.FuncForPC(code).FileLine(code)
	return filepath.Base(file), line
}
