package job

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/ring"
	"ocr/internal/sys"
)

// variable says in the environment of a rank which one it is, of how many, how many lines a ring
// has, and where the area is.
const variable = "OCR_RANK"

// The files that a rank inherits.
const (
	memoryFile = 3 + iota
	controlFile
)

// A birth is what a process was told when it was started.
type birth struct {
	rank, ranks, lines int
	place              Place // of the area
	memory, control    *os.File
	text               string // of the variable
	err                error  // that it is not as it should be
}

// self is read, and taken out of the environment, before the program starts processes: those are no
// ranks.
var self = readBirth()

func readBirth() *birth {
	text, isRank := os.LookupEnv(variable)
	if !isRank {
		return nil
	}
	_ = os.Unsetenv(variable)
	b := &birth{text: text, memory: sys.Inherited(memoryFile, "memory"), control: sys.Inherited(controlFile, "control")}
	_, b.err = fmt.Sscanf(text, "%d of %d, %d lines, "+placeFormat, &b.rank, &b.ranks, &b.lines, &b.place.Bytes, &b.place.At)
	return b
}

// mapMemory maps the memory for the rings of the process's job.
func (b *birth) mapMemory() (*ring.Memory, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.memory == nil || b.control == nil || b.rank < 1 || b.rank >= b.ranks {
		return nil, errors.New("no rank of a job, or no files of one")
	}
	bytes, err := sys.MapShared(b.memory, ring.Bytes(b.ranks, b.lines))
	if err != nil {
		return nil, err
	}
	return ring.NewMemory(bytes, b.ranks, b.lines)
}

// IsChild reports whether this process is a rank other than 0.
func IsChild() bool { return self != nil }

// Serve has this rank, which is a child, take its part: serve gets the engine, and the area if there is one, and returns the exit code
// when rank 0 has said that all is over, in whatever way it says that, or when the engine is lost.
// Serve does not return.
func Serve(serve func(e rank.Engine, area []byte) int) {
	e, c, area, err := join()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := serve(e, area)
	if e.Close() != nil {
		os.Exit(1)
	}
	c.say(bye)
	os.Exit(code)
}

// join opens the engine of this process and listens to rank 0.
func join() (*ring.Engine, *control, []byte, error) {
	if self == nil {
		return nil, nil, nil, fmt.Errorf("job: this process is no rank of a job")
	}
	memory, err := self.mapMemory()
	var area []byte
	if err == nil {
		area, err = self.place.Map(self.memory)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("job: %s=%s is in the environment, but this process was not started as a rank: %w", variable, self.text, err)
	}
	e, c := ring.Open(memory, self.rank), &control{file: self.control}
	go obey(e, c)
	c.say(joined)
	return e, c, area, nil
}

// obey does what rank 0 says, and ends this process if a rank is lost and the program does not.
func obey(e *ring.Engine, c *control) {
	loss := &rank.LostError{Why: "its control connection has ended"}
	c.listen(func(word, rest string) {
		switch word {
		case ping:
			c.say(pong)
		case lost:
			lose(e, parseLost(rest))
		}
	})
	lose(e, loss)
}

func lose(e *ring.Engine, loss *rank.LostError) {
	e.Lose(loss)
	time.AfterFunc(grace, func() { os.Exit(1) })
}
