package local

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"ocr/internal/rank"
)

// Words that begin a line of every kind of job.
const (
	Bye  = "bye"  // this rank has ended normally
	Lost = "lost" // with the rank that is lost and the reason, see [ParseLost]
)

// Grace is the time in which a rank may end by itself after another is lost.
const Grace = time.Second

// A Control is one end of a connection between two ranks, which carries lines.
type Control struct {
	end   End
	lines *bufio.Scanner
	mu    sync.Mutex // of writes
}

// An End is a file, or a connection of package net.
type End interface {
	io.ReadWriteCloser
	SetReadDeadline(at time.Time) error
	SetWriteDeadline(at time.Time) error
}

// NewControl returns the control of a connection that has carried only lines so far.
func NewControl(e End) *Control { return &Control{end: e, lines: bufio.NewScanner(e)} }

// Say writes a line. It ignores errors: the other end detects a broken connection itself.
func (c *Control) Say(words ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.end.SetWriteDeadline(time.Now().Add(Grace))
	_, _ = io.WriteString(c.end, strings.Join(words, " ")+"\n")
}

// SayLost reports that a rank is lost.
func (c *Control) SayLost(loss *rank.LostError) {
	c.Say(Lost, strconv.Itoa(loss.Rank), strings.ReplaceAll(loss.Why, "\n", " "))
}

// ParseLost is the inverse of SayLost, for the line behind the word.
func ParseLost(rest string) *rank.LostError {
	number, why, _ := strings.Cut(rest, " ")
	k, err := strconv.Atoi(number)
	if err != nil {
		return &rank.LostError{Why: fmt.Sprintf("it said %q", rest)}
	}
	return &rank.LostError{Rank: k, Why: why}
}

// Lines returns the lines that arrive, each as a word and the rest, until the connection ends.
func (c *Control) Lines() iter.Seq2[string, string] {
	return func(yield func(word, rest string) bool) {
		for c.lines.Scan() {
			if word, rest, _ := strings.Cut(c.lines.Text(), " "); !yield(word, rest) {
				return
			}
		}
	}
}

// Hear returns the next line if it begins with a word and arrives in time. The error has what arrived in its place.
func (c *Control) Hear(want string, within time.Duration) (rest string, err error) {
	_ = c.end.SetReadDeadline(time.Now().Add(within))
	defer func() { _ = c.end.SetReadDeadline(time.Time{}) }()
	for word, rest := range c.Lines() {
		if word != want {
			return "", fmt.Errorf("want %q, not %q", want, word)
		}
		return rest, nil
	}
	return "", fmt.Errorf("want %q: %w", want, cmp.Or(c.lines.Err(), io.EOF))
}

// Close ends the connection.
func (c *Control) Close() error { return c.end.Close() }
