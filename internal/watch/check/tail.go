package check

import (
	goruntime "runtime"
	"strings"
)

// bodyEnds reports whether a body has nothing left to do after the reported call with this stack: each function of the
// app on the stack returns next, by its machine code. Deferred functions and unknown code count as something to do. The
// library's functions on the stack use no bytes of blocks.
func bodyEnds(stack []uintptr) bool {
	reported := false // the frames of the observer are passed
	for _, pc := range stack {
		inner := goruntime.FuncForPC(pc - 1)
		if inner == nil {
			return false
		}
		function := goruntime.FuncForPC(inner.Entry()).Name() // not one that is inlined there
		graph := strings.HasPrefix(function, "ocr/edt.")
		switch reported = reported || graph; {
		case function == "ocr/edt.(*Worker).Execute":
			return true
		case reported && !graph && !strings.HasPrefix(function, "ocr/task.") && !returnsAt(pc):
			return false
		}
	}
	return false
}
