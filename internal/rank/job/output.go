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
	_, _ = o.w.Write(line) // a failed write loses the line, as in any program
}

func (o *output) printf(format string, args ...any) { o.line("", fmt.Appendf(nil, format, args...)) }

// maxLine is the length, in bytes, at which a line is cut.
const maxLine = 64 << 10

// pass copies lines, each with a prefix, until the input ends. While it writes one, writing is higher by 1.
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
