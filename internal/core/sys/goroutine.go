package sys

import (
	"bytes"
	goruntime "runtime"
	"strings"
)

// GoroutineName returns the calling goroutine's name in stack traces.
func GoroutineName() string {
	var buf [64]byte
	head, _, _ := strings.Cut(string(buf[:goruntime.Stack(buf[:], false)]), " [")
	return head
}

// StackOf returns the stack of the goroutine with this name, or the text "no stack".
func StackOf(name string) string {
	buf := make([]byte, 1<<20)
	n := goruntime.Stack(buf, true)
	for n == len(buf) && n < 64<<20 {
		buf = make([]byte, 4*n)
		n = goruntime.Stack(buf, true)
	}
	for _, one := range bytes.Split(buf[:n], []byte("\n\n")) {
		if bytes.HasPrefix(one, []byte(name+" [")) {
			return string(one)
		}
	}
	return "no stack"
}
