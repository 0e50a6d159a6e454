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

// A run shows its progress after a while, and then in intervals; where there is no terminal, each time in a new line.
const (
	progressDelay    = 2 * time.Second
	progressInterval = 500 * time.Millisecond
	lineInterval     = 30 * time.Second
)

// leastShare of a run is behind it before the line says how long the rest may take.
const leastShare = 0.05

// clearLine clears the line of a terminal.
const clearLine = "\r\x1b[K"

// Console is standard error: messages, and on a terminal one line about progress while a run is long.
//
// Concurrency: any goroutine may call any method. mu is held while anything is written, and guards at and shown.
type Console struct {
	Quiet bool                 // no warnings and no progress
	Hear  func(bench.Progress) // also gets the progress; may be nil

	program string
	w       io.Writer
	mu      sync.Mutex
	at      *bench.Progress // nil before the first
	shown   bool            // a progress line stands on the terminal
}

// NewConsole returns a console on w, of a program of that name.
func NewConsole(program string, w io.Writer) *Console { return &Console{program: program, w: w} }

// Say writes a message, which may have several lines, after the program's name.
func (c *Console) Say(format string, args ...any) {
	c.show(c.program+": "+strings.TrimRight(fmt.Sprintf(format, args...), "\n")+"\n", false)
}

// Announce is Say of what a quiet console does not show.
func (c *Console) Announce(format string, args ...any) {
	if !c.Quiet {
		c.Say(format, args...)
	}
}

// Warn writes what a reader of a file of results would miss.
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

// show writes text in place of the progress line. progress: it is the next one, empty for none.
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

// Tell records how far a run is.
func (c *Console) Tell(p bench.Progress) {
	if c.Hear != nil {
		c.Hear(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = &p
}

// TellWithin returns Tell for a part of a run, counted from 0: it says which of several, as "pair 1 of 3".
func (c *Console) TellWithin(what string, part, parts int) func(bench.Progress) {
	return func(p bench.Progress) {
		if parts > 1 {
			p.Side = fmt.Sprintf("%s %d of %d, %s", what, part+1, parts, p.Side)
		}
		p.Share = (float64(part) + p.Share) / float64(parts)
		c.Tell(p)
	}
}

// During runs what takes long, and shows how far it is: in a line that changes on a terminal, else in a line now and
// then.
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

// line says how far the run is. The name of what runs is cut, so that the line fits on the terminal: a longer one would
// wrap, and its first part stay there.
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

// Columns returns how wide a terminal is; 0 for another writer.
func Columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
