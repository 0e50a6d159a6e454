package check

import (
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
)

// below are the packages between the app's code and this one.
var below = []string{"runtime.", "ocr/edt.", "ocr/datablock.", "ocr/datablock/cell.", "ocr/internal/check."}

// callSite returns the app's line on the stack, "" where there is none: the call was
// made between bodies.
func callSite() string {
	var pcs [64]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case hasAnyPrefix(f.Function, below):
		case strings.HasPrefix(f.Function, "ocr/runtime.") || strings.HasPrefix(f.Function, "ocr/edt/edttest."):
			return ""
		default:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
