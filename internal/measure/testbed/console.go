package testbed

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/term"

	"ocr/internal/measure/bench"
)

// A run shows its progress after a delay, and then at intervals; without a terminal each time in a new line.
const (
	progressDelay    = 2 * time.Second
	progressInterval = 500 * time.Millisecond
	lineInterval     = 30 * time.Second
)

// leastShare is the part of a run after which the line estimates the rest.
const leastShare = 0.05

// clearLine clears the line of a terminal.
const clearLine = "\r\x1b[K"

// Console is standard error: messages, and on a terminal a line of progress during long runs.
//
// Concurrency: any goroutine may call any method. mu is held during writes, and guards at and shown.
type Console struct {
	Quiet bool                 // no warnings and no progress
	Hear  func(bench.Progress) // also receives the progress; may be nil

	program string
	w       io.Writer
	mu      sync.Mutex
	at      *bench.Progress // nil before the first
	shown   bool            // the terminal shows a progress line
}

// NewConsole returns a console on w, for a program with this name.
func NewConsole(program string, w io.Writer) *Console { return &Console{program: program, w: w} }

// Say writes a message, which may have several lines, after the program's name.
func (c *Console) Say(format string, args ...any) {
	c.show(c.program+": "+strings.TrimRight(fmt.Sprintf(format, args...), "\n")+"\n", false)
}

// Announce is Say for messages that a quiet console leaves out.
func (c *Console) Announce(format string, args ...any) {
	if !c.Quiet {
		c.Say(format, args...)
	}
}

// Warn writes warnings that a reader of a file of results would not see.
func (c *Console) Warn(warnings ...string) {
	for _, w := range warnings {
		c.Announce("warning: %s", w)
	}
}

// Write writes whole lines, as a logger does.
func (c *Console) Write(lines []byte) (int, error) {
	c.show(string(lines), false)
	return len(lines), nil
}

// Log returns a logger that writes to the console.
func (c *Console) Log(level zapcore.Level) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.EncodeTime = zapcore.ISO8601TimeEncoder
	cfg.EncodeDuration = zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(cfg), zapcore.AddSync(c), level))
}

// show writes text in place of the progress line. If progress is true text is the next progress line, "" for none.
func (c *Console) show(text string, progress bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := progress && text != ""
	if c.shown || shown {
		text = clearLine + text
	}
	c.shown = shown
	_, _ = io.WriteString(c.w, text)
}

// Tell records the progress of a run.
func (c *Console) Tell(p bench.Progress) {
	if c.Hear != nil {
		c.Hear(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = &p
}

// TellWithin returns Tell for one of several parts of a run, counted from 0; the line says which, as "pair 1 of 3".
func (c *Console) TellWithin(what string, part, parts int) func(bench.Progress) {
	return func(p bench.Progress) {
		if parts > 1 {
			p.Side = fmt.Sprintf("%s %d of %d, %s", what, part+1, parts, p.Side)
		}
		p.Share = (float64(part) + p.Share) / float64(parts)
		c.Tell(p)
	}
}

// During calls run, and shows its progress: on a terminal in a line that changes, else in a new line at intervals.
func (c *Console) During(run func() error) error {
	switch {
	case c.Quiet:
	case Columns(c.w) > 0:
		defer c.tick(progressDelay, progressInterval, func(line string) { c.show(line, true) })()
	default:
		defer c.tick(lineInterval, lineInterval, func(line string) {
			if line != "" {
				c.Say("%s", line)
			}
		})()
	}
	return run()
}

// tick calls show with the progress line, from after delay until stop is called, and then with none.
func (c *Console) tick(delay, interval time.Duration, show func(line string)) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(ended)
		for wait := delay; ; wait = interval {
			select {
			case <-quit:
				show("")
				return
			case <-time.After(wait):
				show(c.line(time.Since(begin)))
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// line returns the progress line. It cuts the name of the run so that the line fits the terminal: a longer line would
// wrap, and its first part would not be cleared.
func (c *Console) line(since time.Duration) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		return ""
	}
	kind, width := "sample", 80
	if c.at.Warmup {
		kind = "warm-up"
	}
	if columns := Columns(c.w); columns > 0 {
		width = columns
	}
	end := fmt.Sprintf(": %s %d of %d, %v", kind, c.at.Done+1, c.at.Total, since.Round(time.Second))
	if share := c.at.Share; share >= leastShare {
		end += fmt.Sprintf(", about %v left", time.Duration(float64(since)*(1-share)/share).Round(time.Second))
	}
	side, room := []rune(c.at.Side), max(0, width-len(end)-1)
	if len(side) > room {
		side = append(side[:max(0, room-3)], []rune("...")[:min(room, 3)]...)
	}
	return string(side) + end
}

// Columns returns the width of a terminal; 0 for another writer.
func Columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
