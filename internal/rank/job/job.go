package job

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"sync"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/local"
	"ocr/internal/rank/ring"
)

// A Config configures [Start].
type Config struct {
	Ranks int // this one included
	Lines int // of a ring; 0 is [ring.DefaultLines]

	// Writers for the output of the other ranks; nil is os.Stdout and os.Stderr. Warnings go to Errors.
	Output, Errors io.Writer

	// Rank 0 warns about a rank that for Warn has handled none of its messages, or not answered. A rank
	// that has not answered for Limit is lost, and so is one that has not joined for Join: its main has not come to its
	// first run. 0 is 10 seconds for Warn, 30 for Limit and 60 for Join.
	Warn, Limit, Join time.Duration
}

// A Job is rank 0's handle of the other ranks.
type Job struct {
	config   Config
	engine   *ring.Engine
	memory   *local.Memory
	children []*child
	out, err *output

	lose sync.Once
	end  chan struct{} // closed when all children have ended: ends the goroutines that serve them
	wg   sync.WaitGroup
}

// Start starts the other ranks and returns at once. They join when they are ready; messages sent before
// wait for them.
func Start(c Config) (*Job, error) {
	if self != nil {
		return nil, fmt.Errorf("job: rank %d cannot start ranks of its own", self.rank)
	}
	if goruntime.GOOS != "linux" {
		return nil, errors.New("job: ranks need Linux")
	}
	c.setDefaults()
	j := &Job{config: c, out: &output{w: c.Output}, err: &output{w: c.Errors}, end: make(chan struct{})}
	file, err := j.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := j.startAll(file); err != nil {
		j.kill()
		_ = j.finish()
		return nil, err
	}
	j.wg.Go(j.watch)
	return j, nil
}

func (c *Config) setDefaults() {
	if c.Lines == 0 {
		c.Lines = ring.DefaultLines
	}
	if c.Output == nil {
		c.Output = os.Stdout
	}
	if c.Errors == nil {
		c.Errors = os.Stderr
	}
	if c.Warn == 0 {
		c.Warn = 10 * time.Second
	}
	if c.Limit == 0 {
		c.Limit = 30 * time.Second
	}
	if c.Join == 0 {
		c.Join = 60 * time.Second
	}
}

// open creates the memory and opens this rank's engine.
func (j *Job) open() (*os.File, error) {
	if j.config.Ranks < 1 || j.config.Ranks > ring.MaxRanks {
		return nil, fmt.Errorf("job: %d ranks: must be 1 to %d", j.config.Ranks, ring.MaxRanks)
	}
	memory, file, err := local.Plan{Ranks: j.config.Ranks, Lines: j.config.Lines}.Make()
	if err != nil {
		return nil, err
	}
	j.memory, j.engine = memory, ring.Open(memory.Rings, 0)
	return file, nil
}

// startAll starts the other ranks, on a thread that stays until they have ended.
func (j *Job) startAll(memory *os.File) error {
	started := make(chan error)
	j.wg.Go(func() {
		goruntime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		err := func() error {
			for k := 1; k < j.config.Ranks; k++ {
				c, err := j.start(k, memory)
				if err != nil {
					return fmt.Errorf("job: start rank %d: %w", k, err)
				}
				j.children = append(j.children, c)
			}
			return nil
		}()
		for _, c := range j.children {
			go j.attend(c)
		}
		started <- err
		<-j.end
	})
	return <-started
}

// Engine returns the engine of rank 0.
func (j *Job) Engine() *ring.Engine { return j.engine }

// lost ends the job because a rank is lost.
func (j *Job) lost(k int, why string) {
	j.lose.Do(func() {
		loss := &rank.LostError{Rank: k, Why: why}
		j.engine.Lose(loss)
		for _, c := range j.children {
			c.control.SayLost(loss)
		}
		time.AfterFunc(local.Grace, j.kill)
	})
}

// kill kills the children that still run.
func (j *Job) kill() {
	for _, c := range j.children {
		c.kill()
	}
}

// Close waits until all ranks have ended, and frees the job's resources. The program has ended them
// before, by a message of its own. If a rank was lost Close returns that error. A rank that does not end
// within Limit is lost. The engine cannot be used any more.
func (j *Job) Close() error {
	j.wg.Go(func() {
		select {
		case <-j.end:
		case <-time.After(j.config.Limit):
			j.hurry()
		}
	})
	_ = j.engine.Close() // finish returns the same error
	return j.finish()
}

// Kill is Close for ranks that need not end by themselves: it kills them, and does not report them as lost.
func (j *Job) Kill() error {
	for _, c := range j.children {
		c.dismissed.Store(true)
	}
	j.kill()
	return j.Close()
}

// hurry ends the job because of a rank that does not end.
func (j *Job) hurry() {
	for _, c := range j.children {
		if !ended(c.exited) {
			j.lost(c.rank, fmt.Sprintf("it has not ended for %v", j.config.Limit))
			return
		}
	}
}

// finish frees the job's resources once all children have ended or were killed.
func (j *Job) finish() error {
	for _, c := range j.children {
		<-c.ended
	}
	close(j.end)
	j.wg.Wait()
	err := j.engine.Err()
	return cmp.Or(err, j.memory.Close())
}
