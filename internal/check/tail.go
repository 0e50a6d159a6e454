package check

import (
	goruntime "runtime"
	"strings"
)

// bodyEnds reports whether a body has nothing more to do when the call returns that is reported, with this
// stack: in each function of the app what follows is its return, as the machine code says. A deferred function,
// or code that is not known here, counts as something. The library's functions on the way use no bytes of
// blocks.
func bodyEnds(stack []uintptr) bool {
	reported := false // up to there are the observer's functions
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
