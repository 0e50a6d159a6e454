package main

import (
	"fmt"
	"io"
	"os"
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

// progress keeps one line about a long run on a terminal.
//
// Concurrency: at is written by the run (tell) and read by the ticking
// goroutine, under mu. Only that goroutine writes to w, until stop has returned.
type progress struct {
	w     io.Writer
	begin time.Time
	quit  chan struct{}
	ended chan struct{}

	mu sync.Mutex
	at bench.Progress
}

// progress runs what measures, and tells how far it is if somebody hears that.
func (s *session) progress(measure func(tell func(bench.Progress)) error) error {
	if s.stdio.progress != nil {
		return measure(s.stdio.progress)
	}
	if s.options.quiet || !isTerminal(s.stdio.err) {
		return measure(func(bench.Progress) {})
	}
	line := startProgress(s.stdio.err, progressDelay, progressInterval)
	defer line.stop()
	return measure(line.tell)
}

// startProgress begins a progress line on w after delay.
func startProgress(w io.Writer, delay, interval time.Duration) *progress {
	p := &progress{w: w, begin: time.Now(), quit: make(chan struct{}), ended: make(chan struct{})}
	go p.tick(delay, interval)
	return p
}

func (p *progress) tell(at bench.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = at
}

func (p *progress) tick(delay, interval time.Duration) {
	defer close(p.ended)
	next := time.NewTimer(delay)
	defer next.Stop()
	for shown := false; ; shown = true {
		select {
		case <-p.quit:
			if shown {
				fmt.Fprint(p.w, clearLine)
			}
			return
		case <-next.C:
			fmt.Fprint(p.w, clearLine, p.line())
			next.Reset(interval)
		}
	}
}

const clearLine = "\r\x1b[K"

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	kind := "sample"
	if p.at.Warmup {
		kind = "warm-up"
	}
	return fmt.Sprintf("%s: %s %d of %d, %v", p.at.Side, kind, p.at.Done+1, p.at.Total, time.Since(p.begin).Round(time.Second))
}

// stop takes the line away. Nothing is written after it has returned.
func (p *progress) stop() {
	close(p.quit)
	<-p.ended
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
