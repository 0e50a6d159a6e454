package job

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"ocr/internal/core/sys"
	"ocr/internal/rank"
	"ocr/internal/rank/local"
	"ocr/internal/rank/ring"
)

// variable is the environment variable of a rank with its number and the plan of the memory.
const variable = "OCR_RANK"

// The files that a rank inherits.
const (
	memoryFile = 3 + iota
	controlFile
)

// A birth is what a process got from rank 0 when it was started.
type birth struct {
	rank            int
	plan            local.Plan
	memory, control *os.File
	text            string // of the variable
	err             error  // if the text is malformed
}

// self is read before main, and the variable then removed from the environment: processes that the
// program starts are not ranks.
var self = readBirth()

func readBirth() *birth {
	text, isRank := os.LookupEnv(variable)
	if !isRank {
		return nil
	}
	_ = os.Unsetenv(variable)
	b := &birth{text: text, memory: sys.Inherited(memoryFile, "memory"), control: sys.Inherited(controlFile, "control")}
	number, plan, _ := strings.Cut(text, " of ")
	if b.rank, b.err = strconv.Atoi(number); b.err == nil {
		b.plan, b.err = local.ParsePlan(plan)
	}
	return b
}

// mapMemory maps the memory of the process's job.
func (b *birth) mapMemory() (*local.Memory, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.memory == nil || b.control == nil || b.rank < 1 || b.rank >= b.plan.Ranks {
		return nil, errors.New("no rank of a job, or no files of one")
	}
	return b.plan.Map(b.memory)
}

// IsChild reports whether this process is a rank other than 0.
func IsChild() bool { return self != nil }

// Serve runs a rank other than 0: it calls serve with the engine. serve returns the exit
// code once rank 0 has ended the job, by a message of the program, or the engine is lost. Serve exits with that and
// does not return.
func Serve(serve func(e rank.Engine) int) {
	e, c, err := join()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := serve(e)
	if e.Close() != nil {
		os.Exit(1)
	}
	c.Say(local.Bye)
	os.Exit(code)
}

// join opens the engine of this process and listens to rank 0.
func join() (*ring.Engine, *local.Control, error) {
	if self == nil {
		return nil, nil, fmt.Errorf("job: this process is no rank of a job")
	}
	memory, err := self.mapMemory()
	if err != nil {
		return nil, nil, fmt.Errorf("job: %s=%s is in the environment, but this process was not started as a rank: %w",
			variable, self.text, err)
	}
	e, c := ring.Open(memory.Rings, self.rank), local.NewControl(self.control)
	go obey(e, c)
	c.Say(joined)
	return e, c, nil
}

// obey handles the lines of rank 0, and ends this process if a rank is lost and the program does not end.
func obey(e *ring.Engine, c *local.Control) {
	for word, rest := range c.Lines() {
		switch word {
		case ping:
			c.Say(pong)
		case local.Lost:
			lose(e, local.ParseLost(rest))
		}
	}
	lose(e, &rank.LostError{Why: "its control connection has ended"})
}

// Words of the lines between a rank and rank 0, beside [local.Bye] and [local.Lost].
const (
	joined = "joined"
	ping   = "ping"
	pong   = "pong"
)

func lose(e *ring.Engine, loss *rank.LostError) {
	e.Lose(loss)
	time.AfterFunc(local.Grace, func() { os.Exit(1) })
}
