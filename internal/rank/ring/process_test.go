package ring

import (
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// The test binary starts itself as rank 1 of a job. These variables choose its role; its file 3 is the
// shared memory.
const (
	roleVariable  = "RING_TEST_ROLE"
	sizesVariable = "RING_TEST_SIZES" // lines of a ring, messages of a sender
)

// roles are the programs of rank 1.
var roles = map[string]func(e *Engine, messages uint64) error{"echo": echo, "count": count, "check": checked}

// otherProcess is the main function of rank 1.
func otherProcess(role string) int {
	var lines int
	var messages uint64
	_, err := fmt.Sscan(os.Getenv(sizesVariable), &lines, &messages)
	if err == nil {
		var memory *Memory
		if memory, err = mapped(os.NewFile(3, "memory"), lines); err == nil {
			e := Open(memory, 1)
			err = roles[role](e, messages)
			if closed := e.Close(); err == nil {
				err = closed
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func mapped(f *os.File, lines int) (*Memory, error) {
	bytes, err := sys.MapShared(f, Bytes(2, lines))
	if err != nil {
		return nil, err
	}
	return NewMemory(bytes, 2, lines)
}

// withProcess starts rank 1 as a process and returns rank 0's engine, and a function that
// closes it and waits for the process.
func withProcess(t testing.TB, role string, lines int, messages uint64) (e *Engine, end func()) {
	t.Helper()
	f, err := sys.NewSharedFile("ring", Bytes(2, lines))
	testrun.OK(t, err)
	defer f.Close()
	memory, err := mapped(f, lines)
	testrun.OK(t, err)
	var said strings.Builder
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleVariable+"="+role, fmt.Sprintf("%s=%d %d", sizesVariable, lines, messages))
	cmd.ExtraFiles = []*os.File{f}
	cmd.Stderr = &said
	testrun.OK(t, cmd.Start())
	e = Open(memory, 0)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := cmd.Wait(); err != nil {
			e.Lose(&rank.LostError{Rank: 1, Why: fmt.Sprintf("%v: %s", err, said.String())})
		}
	}()
	return e, func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		<-ended
		if err := sys.UnmapShared(memory.bytes); err != nil {
			t.Error(err)
		}
	}
}

// last is the Kind of the last message.
const last = 255

// echo sends every message back.
func echo(e *Engine, _ uint64) error {
	for done := false; !done; {
		e.Poll(64, func(from int, m *rank.Message) bool {
			if done = m.Kind == last; !done {
				e.Send(from, m)
			}
			return true
		})
	}
	return nil
}

// count counts messages as they arrive.
func count(e *Engine, _ uint64) error {
	for done := false; !done; {
		e.Poll(64, func(_ int, m *rank.Message) bool {
			done = m.Kind == last
			return true
		})
	}
	return nil
}

// checked has three goroutines of this rank send messages to the other, one at a time, while this goroutine polls. It
// checks the order of each sender's messages, the bytes of the tails, and the sum in the end. It sleeps after a poll
// without messages.
func checked(e *Engine, each uint64) error {
	const senders = 3
	var wg sync.WaitGroup
	var turn sync.Mutex
	for k := range uint64(senders) {
		wg.Go(func() {
			tail := make([]byte, 500)
			for n := range each {
				m := rank.Message{Count: 3, Words: [7]uint64{k, n, n * n}}
				if n%7 == k {
					m.Tail = tail[:n%500]
					for at := range m.Tail {
						m.Tail[at] = byte(n + uint64(at))
					}
				}
				turn.Lock()
				e.Send(1-e.Rank(), &m)
				turn.Unlock()
			}
		})
	}
	var next [senders]uint64
	var sum uint64
	var wrong error
	for got := uint64(0); got < senders*each; {
		n := e.Poll(64, func(_ int, m *rank.Message) bool {
			k, n := m.Words[0], m.Words[1]
			if n != next[k] || m.Words[2] != n*n || n%7 == k && len(m.Tail) != int(n%500) {
				wrong = fmt.Errorf("message %d of sender %d in place of %d, tail of %d", n, k, next[k], len(m.Tail))
			}
			for at, b := range m.Tail {
				if b != byte(n+uint64(at)) {
					wrong = fmt.Errorf("message %d of sender %d: byte %d is %d", n, k, at, b)
				}
			}
			next[k]++
			sum += n
			return true
		})
		got += uint64(n)
		if n == 0 {
			e.Sleep(time.Second)
		}
		if e.Err() != nil {
			return e.Err()
		}
	}
	wg.Wait()
	if want := senders * (each - 1) * each / 2; sum != want {
		return fmt.Errorf("sum %d, want %d", sum, want)
	}
	return wrong
}

// TestTwoProcesses has two processes check each other's messages.
func TestTwoProcesses(t *testing.T) {
	for _, lines := range []int{4, DefaultLines} {
		t.Run(fmt.Sprint(lines), func(t *testing.T) {
			messages := testrun.Sized[uint64](300, 10_000, 200_000)
			e, end := withProcess(t, "check", lines, messages)
			defer end()
			testrun.OK(t, checked(e, messages))
		})
	}
}

// inThread runs the role of rank 1 on a goroutine of this process, in memory that is mapped as it is
// between processes.
func inThread(t testing.TB, role string, lines int, messages uint64) (e *Engine, end func()) {
	t.Helper()
	f, err := sys.NewSharedFile("ring", Bytes(2, lines))
	testrun.OK(t, err)
	defer f.Close()
	memory, err := mapped(f, lines)
	testrun.OK(t, err)
	e = Open(memory, 0)
	ended := make(chan error)
	go func() {
		goruntime.LockOSThread()
		ended <- roles[role](Open(memory, 1), messages)
	}()
	return e, func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := sys.UnmapShared(memory.bytes); err != nil {
			t.Error(err)
		}
	}
}
