package testbed

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"ocr/internal/measure/bench"
)

// progressInterval is how often a run shows its progress.
const progressInterval = 10 * time.Second

// leastShare is the part of a run after which a progress line estimates the time left.
const leastShare = 0.05

// Console is standard error: messages, and lines of progress during long runs.
//
// Concurrency: any goroutine may call any method. mu is held during writes, and guards at.
type Console struct {
	Quiet bool                 // no warnings and no progress
	Hear  func(bench.Progress) // also receives the progress; may be nil

	program string
	w       io.Writer
	mu      sync.Mutex
	at      *bench.Progress // the latest progress, nil before the first
}

// NewConsole returns a console on w, for a program with this name.
func NewConsole(program string, w io.Writer) *Console { return &Console{program: program, w: w} }

// Say writes a message, which may have several lines, after the program's name.
func (c *Console) Say(format string, args ...any) {
	_, _ = io.WriteString(c, c.program+": "+strings.TrimRight(fmt.Sprintf(format, args...), "\n")+"\n")
}

// Announce is Say for messages that a quiet console leaves out.
func (c *Console) Announce(format string, args ...any) {
	if !c.Quiet {
		c.Say(format, args...)
	}
}

// Warn writes warnings to the console, unless it is quiet. It adds nothing to the document.
func (c *Console) Warn(warnings ...string) {
	for _, w := range warnings {
		c.Announce("warning: %s", w)
	}
}

// Write writes whole lines, as a logger does.
func (c *Console) Write(lines []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.w.Write(lines)
}

// Log returns a logger that writes to the console.
func (c *Console) Log(level zapcore.Level) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.EncodeTime = zapcore.ISO8601TimeEncoder
	cfg.EncodeDuration = zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(cfg), zapcore.AddSync(c), level))
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

// During calls run, and meanwhile shows its progress.
func (c *Console) During(run func() error) error {
	if c.Quiet {
		return run()
	}
	c.mu.Lock()
	c.at = nil // what an earlier run has told
	c.mu.Unlock()
	var shows sync.WaitGroup
	quit, begin := make(chan struct{}), time.Now()
	shows.Go(func() {
		for {
			select {
			case <-quit:
				return
			case <-time.After(progressInterval):
				c.showProgress(time.Since(begin))
			}
		}
	})
	defer shows.Wait()
	defer close(quit)
	return run()
}

// showProgress says how far the run is, once it has begun.
func (c *Console) showProgress(since time.Duration) {
	c.mu.Lock()
	at := c.at
	c.mu.Unlock()
	if at == nil {
		return
	}
	kind, left := "sample", ""
	if at.Warmup {
		kind = "warm-up"
	}
	if at.Share >= leastShare {
		left = fmt.Sprintf(", about %v left", time.Duration(float64(since)*(1-at.Share)/at.Share).Round(time.Second))
	}
	c.Say("%s: %s %d of %d, %v%s", at.Side, kind, at.Done+1, at.Total, since.Round(time.Second), left)
}
