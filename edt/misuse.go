package edt

import (
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"ocr/guid"
)

// unwind is what a misuse panics with: the error is recorded already.
type unwind struct{ err *Error }

// misuse ends the run with an error, and leaves the body of the EDT.
func (c *Ctx) misuse(op string, cause *Condition, target guid.GUID, format string, args ...any) {
	err := &Error{
		Op: op, Cause: cause, Target: target, Detail: fmt.Sprintf(format, args...),
		EDT: c.Self(), Template: c.templateName(),
	}
	if o := c.behalf; o != nil {
		err.EDT, err.Template, err.File, err.Line = o.edt, o.template, o.file, o.line
	} else {
		err.File, err.Line = c.callSite()
	}
	c.g.finishWith(c.host, End{Err: err})
	panic(unwind{err})
}

// An origin is who made a call that is carried out later, by somebody else.
type origin struct {
	edt      guid.GUID
	template string
	file     string
	line     int
}

func (c *Ctx) origin() *origin {
	if c.behalf != nil {
		return c.behalf
	}
	o := &origin{edt: c.Self(), template: c.templateName()}
	o.file, o.line = c.callSite()
	return o
}

// wrongKind says what g is instead of the kind that a call needs.
func (c *Ctx) wrongKind(op string, g guid.GUID, want guid.Kind) {
	const foreign = ^uint64(0xffff)
	hi, _ := g.Words()
	switch {
	case g.IsNull():
		c.misuse(op, ErrKind, g, "Null, need %s", article(want))
	case g.Kind() == guid.KindNone:
		c.misuse(op, ErrKind, g, "a reserved GUID, need %s", article(want))
	case hi&foreign != c.g.highEDT&foreign:
		c.misuse(op, ErrForeign, g, "")
	default:
		c.misuse(op, ErrKind, g, "need %s", article(want))
	}
}

func article(k guid.Kind) string {
	if s := k.String(); strings.ContainsRune("aeiouE", rune(s[0])) {
		return "an " + s
	}
	return "a " + k.String()
}

// Recovered records the panic that ended [Ctx.Execute] as the end of the run: v is
// what the host recovered, nil where the body left by runtime.Goexit. Only hosts
// call it, while the panicking stack is still there.
func (c *Ctx) Recovered(v any) {
	if c.obs != nil {
		c.obs.EDTPanicked(v)
	}
	if _, ok := v.(unwind); ok {
		return
	}
	if v == nil {
		v = errGoexit
	}
	c.g.finishWith(c.host, End{Err: &PanicError{Value: v, Stack: debug.Stack(), EDT: c.Self(), Template: c.templateName()}})
}

func (c *Ctx) templateName() string {
	if c.current == nil {
		return ""
	}
	return c.g.template(c.current).name
}

// callSite returns the app's file and line: the first frame above this package,
// or, where a call was not made by a body but at its end, where the body stands.
func (c *Ctx) callSite() (file string, line int) {
	var pcs [32]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case hasAnyPrefix(f.Function, "ocr/edt.", "ocr/datablock.", "runtime."):
		case hasAnyPrefix(f.Function, "ocr/runtime.", "ocr/edt/edttest."):
			return c.bodySite()
		default:
			return filepath.Base(f.File), f.Line
		}
		if !more {
			return c.bodySite()
		}
	}
}

func (c *Ctx) bodySite() (file string, line int) {
	if c.current == nil {
		return "", 0
	}
	pc := reflect.ValueOf(c.template(c.current).fn).Pointer()
	file, line = goruntime.FuncForPC(pc).FileLine(pc)
	return filepath.Base(file), line
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
