package job

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/sys"
	"ocr/internal/rank/local"
)

// settling is how long rank 0 waits for the exit of a process whose connection has ended, and for the
// rest of its output.
const settling = 500 * time.Millisecond

// A child is a rank that rank 0 has started.
type child struct {
	rank    int
	cmd     *exec.Cmd
	control *local.Control
	pipes   []*os.File // its output and error output, as rank 0 reads them

	joined, bye atomic.Bool
	dismissed   atomic.Bool  // rank 0 has killed it in Kill
	unanswered  atomic.Int32 // pings since the last pong
	writing     atomic.Int32 // how many of its lines rank 0 is writing

	hungUp chan struct{} // closed when the connection has ended
	exited chan struct{} // closed when the process has ended
	ended  chan struct{} // closed when its process, connection and output have ended
}

// start starts a rank. The thread that calls it must live as long as the rank.
func (j *Job) start(k int, memory *os.File) (*child, error) {
	c := &child{rank: k, hungUp: make(chan struct{}), exited: make(chan struct{}), ended: make(chan struct{})}
	ours, theirs, err := sys.SocketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	c.control = local.NewControl(ours)
	c.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: os.Args, // the same binary, even if there is a new one in its place
		Env:         append(os.Environ(), fmt.Sprintf("%s=%d of %v", variable, k, j.memory.Plan)),
		ExtraFiles:  []*os.File{memory, theirs},
		SysProcAttr: sys.BoundToParent(),
	}
	writers, err := c.pipe()
	if err == nil {
		c.cmd.Stdout, c.cmd.Stderr = writers[0], writers[1]
		err = c.cmd.Start()
	}
	for _, w := range writers {
		_ = w.Close()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// pipe makes the pipes for the output and returns the ends that the rank writes to.
func (c *child) pipe() (writers []*os.File, err error) {
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return writers, err
		}
		c.pipes, writers = append(c.pipes, r), append(writers, w)
	}
	return writers, nil
}

func (c *child) close() {
	_ = c.control.Close()
	for _, p := range c.pipes {
		_ = p.Close()
	}
}

func (c *child) kill() { _ = c.cmd.Process.Kill() } // nothing if it has ended

// attend handles the lines and the output of a child until its process, connection and output have ended.
func (j *Job) attend(c *child) {
	defer close(c.ended)
	go c.listen()
	go func() {
		_ = c.cmd.Wait() // the state has the error
		close(c.exited)
	}()
	copied := j.passOutput(c)

	select {
	case <-c.exited:
	case <-c.hungUp:
		wait(c.exited)
	}
	if !ended(c.exited) {
		j.lost(c.rank, "its control connection has ended")
		c.kill()
		<-c.exited
	}
	wait(c.hungUp) // its last lines
	if !c.bye.Load() && !c.dismissed.Load() {
		j.lost(c.rank, c.exit())
	}
	for wait(copied); c.writing.Load() != 0; wait(copied) { // the reader of rank 0's output may be slow
	}
	c.close() // child processes of its own may hold the pipes open
	<-c.hungUp
	<-copied
}

// wait waits until a channel is closed, at most for settling.
func wait(done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(settling):
	}
}

func ended(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func (c *child) listen() {
	defer close(c.hungUp)
	for word := range c.control.Lines() {
		switch word {
		case joined:
			c.joined.Store(true)
		case pong:
			c.unanswered.Store(0)
		case local.Bye:
			c.bye.Store(true)
		}
	}
}

// exit describes how the process ended.
func (c *child) exit() string {
	text := "its process has ended: " + c.cmd.ProcessState.String()
	if !c.joined.Load() {
		text += ", before it joined"
	}
	return text
}

// passOutput copies the child's output, and returns a channel that is closed at its end.
func (j *Job) passOutput(c *child) <-chan struct{} {
	var wg sync.WaitGroup
	prefix := fmt.Sprintf("[%d] ", c.rank)
	for k, to := range []*output{j.out, j.err} {
		wg.Go(func() { to.pass(prefix, c.pipes[k], &c.writing) })
	}
	copied := make(chan struct{})
	go func() {
		wg.Wait()
		close(copied)
	}()
	return copied
}

// isStopped reports whether the process is stopped, by SIGSTOP or a debugger.
func (c *child) isStopped() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return false
	}
	// The name of the program, in brackets, may have any bytes.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	return strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "t")
}
