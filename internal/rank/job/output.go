package job

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// An output takes lines of several ranks and keeps each whole.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *output) line(prefix string, text []byte) {
	line := append([]byte(prefix), text...)
	if len(line) == 0 || line[len(line)-1] != '\n' {
		line = append(line, '\n')
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, _ = o.w.Write(line) // what rank 0 cannot write is lost, as its own output is
}

func (o *output) printf(format string, args ...any) { o.line("", fmt.Appendf(nil, format, args...)) }

// maxLine is where a line is cut into several.
const maxLine = 64 << 10

// pass copies lines until there are no more, each with a prefix. It counts in writing while it writes.
func (o *output) pass(prefix string, r io.Reader, writing *atomic.Int32) {
	for lines := bufio.NewReaderSize(r, maxLine); ; {
		text, err := lines.ReadSlice('\n')
		if len(text) > 0 {
			writing.Add(1)
			o.line(prefix, text)
			writing.Add(-1)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}
