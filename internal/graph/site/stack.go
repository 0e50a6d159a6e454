package site

import (
	"bytes"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"
)

// A Caller is what the stack shows about a call that was a misuse.
type Caller struct {
	File     string // the app's line, "" if no frame is the app's
	Line     int
	InRun    bool   // a host, or a body that a host runs, made the call
	Panicked string // if a deferred call made the misuse during a panic, the line of the panic
}

// Look describes the call from the whole stack of the goroutine.
func Look() (at Caller) {
	panicking, misused := false, false
	for f := range frames(wholeStack()) {
		switch {
		case f.Function == "runtime.gopanic":
			panicking = at.Panicked == ""
			misused = false
		case f.Function == "ocr/edt.(*Ctx).blame":
			misused = true // the panic is that of an earlier misuse, which is reported already
		case f.Function == "runtime.corostart": // a body that goes through an iter.Pull
			at.InRun = true
		case isDoor(f.Function):
			at.InRun = true
			return at
		case ofApp(f):
			if at.File == "" {
				at.File, at.Line = filepath.Base(f.File), f.Line
			}
			if panicking && !misused {
				at.Panicked = lineOf(f)
			}
			panicking = false
		}
	}
	return at
}

// OfCall is for observers: it returns the app's line of the call that is being reported, "" if no body makes it. The
// newest frames are the observer's, the next those of package edt that have called it.
func OfCall() string {
	var pcs [64]uintptr
	told := false
	for f := range frames(pcs[:goruntime.Callers(2, pcs[:])]) {
		switch {
		case isDoor(f.Function):
			return ""
		case ours(f):
			told = true
		case told && ofApp(f):
			return lineOf(f)
		}
	}
	return ""
}

// OfPanic returns the app's line of the latest panic or call of Goexit on the stack, "" for none. call is the app's
// call in which it arose, such as "task.Task0.New"; "" if it arose in the app itself.
func OfPanic() (line, call string) {
	behind := false
	for f := range frames(wholeStack()) {
		switch {
		case isDoor(f.Function):
			return "", ""
		case f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit":
			behind, call = true, ""
		case !behind || standard(f):
		case ours(f):
			call = nameOfCall(f)
		default:
			return lineOf(f), call
		}
	}
	return "", ""
}

// OfStart returns the line at which the calling goroutine was started, "" for one that the program began with.
func OfStart() string {
	_, last, ok := bytes.Cut(debug.Stack(), []byte("\ncreated by "))
	if !ok {
		return ""
	}
	_, line, _ := strings.Cut(string(last), "\n") // behind the function that started it
	line, _, _ = strings.Cut(strings.TrimSpace(line), " ")
	return filepath.Base(line)
}
