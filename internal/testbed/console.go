package testbed

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"ocr/internal/bench"
)

// How long a run goes on in silence, and how often its progress line changes.
const (
	progressDelay    = 2 * time.Second
	progressInterval = 500 * time.Millisecond
)

// clearLine takes away what stands on a terminal's line.
const clearLine = "\r\x1b[K"

// Console is standard error: messages, and on a terminal one line about progress while a
// run is long.
//
// Concurrency: mu is held while anything is written, and guards the fields below it. Any
// goroutine may call any method.
type Console struct {
	Quiet bool                 // no warnings and no progress
	Hear  func(bench.Progress) // told of progress in place of a terminal; nil for none

	program  string
	w        io.Writer
	terminal bool
	mu       sync.Mutex
	at       bench.Progress
	told     bool // at is set
	shown    bool // a progress line stands on the terminal
}

// NewConsole returns a console on w, of a program of that name.
func NewConsole(program string, w io.Writer) *Console {
	return &Console{program: program, w: w, terminal: isTerminal(w)}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Say writes a message, which may have several lines, after the program's name.
func (c *Console) Say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write(c.program + ": " + strings.TrimRight(fmt.Sprintf(format, args...), "\n") + "\n")
}

// write writes at once, in place of the progress line.
func (c *Console) write(text string) {
	clear := ""
	if c.shown {
		clear, c.shown = clearLine, false
	}
	_, _ = io.WriteString(c.w, clear+text)
}

// Warn writes what a reader of a file of results would miss.
func (c *Console) Warn(warnings ...string) {
	if c.Quiet {
		return
	}
	for _, w := range warnings {
		c.Say("warning: %s", w)
	}
}

// Announce writes what a reader of results does not need, as how long a run will take.
func (c *Console) Announce(format string, args ...any) {
	if !c.Quiet {
		c.Say(format, args...)
	}
}

// Tell takes note of how far a run is.
func (c *Console) Tell(p bench.Progress) {
	if c.Hear != nil {
		c.Hear(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.told = p, true
}

// TellWithin returns Tell for a part of a run: prefix says which, as "pair 1 of 3, ".
func (c *Console) TellWithin(prefix string) func(bench.Progress) {
	return func(p bench.Progress) {
		p.Side = prefix + p.Side
		c.Tell(p)
	}
}

// During runs what takes long, and shows on a terminal how far it is.
func (c *Console) During(run func() error) error {
	if c.Quiet || !c.terminal {
		return run()
	}
	stop := c.tick(progressDelay, progressInterval)
	defer stop()
	return run()
}

// tick shows the progress line from after delay until stop is called. No line is left
// once stop has returned.
func (c *Console) tick(delay, interval time.Duration) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(ended)
		next := time.NewTimer(delay)
		defer next.Stop()
		for {
			select {
			case <-quit:
				c.show("")
				return
			case <-next.C:
				c.show(c.line(time.Since(begin)))
				next.Reset(interval)
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// show shows a line in place of the one that is shown; empty for none.
func (c *Console) show(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.shown && line == "" {
		return
	}
	c.shown = line != ""
	_, _ = io.WriteString(c.w, clearLine+line)
}

// line says how far the run is, cut to the terminal's width: a longer one would wrap, and
// its beginning stay there for ever.
func (c *Console) line(since time.Duration) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.told {
		return ""
	}
	kind := "sample"
	if c.at.Warmup {
		kind = "warm-up"
	}
	end := fmt.Sprintf(": %s %d of %d, %v", kind, c.at.Done+1, c.at.Total, since.Round(time.Second))
	return fit(c.at.Side, c.width()-len(end)-1) + end
}

// width is the terminal's, 80 if it does not tell.
func (c *Console) width() int {
	if f, ok := c.w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// fit cuts a text to so many letters: its end says more than its beginning.
func fit(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[len(letters)-max(most, 0):])
}
