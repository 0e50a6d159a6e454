//go:build explore

package explore

import (
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
)

// A trace prints a run: the line of code of each step.
type trace struct {
	lines map[*thread]string // where each thread makes its next step
	told  []string
	last  *thread
	files map[string][]string
}

// toldSteps is how many lines of a trace are printed: the last ones.
const toldSteps = 200

func (tr *trace) Error() string {
	if left := len(tr.told) - toldSteps; left > 0 {
		return fmt.Sprintf("the steps, without the first %d lines:\n%s", left, strings.Join(tr.told[left:], "\n"))
	}
	return "the steps:\n" + strings.Join(tr.told, "\n")
}

// at records where thread t is. It reads the stack of its caller, so t itself must call it.
func (tr *trace) at(t *thread) {
	var pcs [24]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "ocr/internal/core/word.") &&
			!strings.HasPrefix(f.Function, "ocr/internal/proof/explore.(*thread)") {
			where := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			tr.lines[t] = fmt.Sprintf("%-24s %s", where, tr.source(f.File, f.Line))
			return
		}
	}
}

// source returns a line of code.
func (tr *trace) source(file string, line int) string {
	lines, ok := tr.files[file]
	if !ok {
		text, _ := os.ReadFile(file) // without the file, a trace has its name and the line's number
		lines = strings.Split(string(text), "\n")
		tr.files[file] = lines
	}
	if line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}

// made adds a step to the trace.
func (tr *trace) made(t *thread) {
	if t != tr.last {
		tr.told = append(tr.told, "  "+t.title())
		tr.last = t
	}
	if t.of != nil {
		tr.told = append(tr.told, fmt.Sprintf("    %d", t.of.buffer[0].x))
		return
	}
	tr.told = append(tr.told, "    "+tr.lines[t])
}

func (t *thread) title() string {
	if t.of != nil {
		return t.name + "'s store becomes visible:"
	}
	return t.name + ":"
}
