package job

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"ocr/internal/rank"
)

// What is said on a control connection, a line each.
const (
	joined = "joined"
	bye    = "bye"
	ping   = "ping"
	pong   = "pong"
	lost   = "lost" // with rank and reason
)

// grace is what a rank gets to end by itself when another is lost.
const grace = time.Second

// A control is one end of a connection.
type control struct {
	file *os.File
	mu   sync.Mutex // of writes
}

// say writes a line. If nobody reads it there is nothing to do: the reader finds out.
func (c *control) say(words ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.file.SetWriteDeadline(time.Now().Add(grace))
	_, _ = c.file.WriteString(strings.Join(words, " ") + "\n")
}

// listen calls heard with each line, and returns when the connection has ended.
func (c *control) listen(heard func(word, rest string)) {
	for lines := bufio.NewScanner(c.file); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		heard(word, rest)
	}
}

// tellLost says that a rank is gone.
func (c *control) tellLost(loss *rank.LostError) {
	c.say(lost, strconv.Itoa(loss.Rank), strings.ReplaceAll(loss.Why, "\n", " "))
}

// parseLost is the inverse of tellLost.
func parseLost(rest string) *rank.LostError {
	number, why, _ := strings.Cut(rest, " ")
	k, err := strconv.Atoi(number)
	if err != nil {
		return &rank.LostError{Why: fmt.Sprintf("it said %q", rest)}
	}
	return &rank.LostError{Rank: k, Why: why}
}
