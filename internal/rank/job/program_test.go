package job

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// The test binary is also the program that the tests run: rank 0 if the environment has a fault for
// it, and the ranks that this one starts.
const faultVariable = "JOB_TEST_FAULT"

func TestMain(m *testing.M) {
	text, isProgram := os.LookupEnv(faultVariable)
	if !isProgram {
		goleak.VerifyTestMain(m)
	}
	var f fault
	if _, err := fmt.Sscan(text, &f.kind, &f.rank, &f.moment, &f.hops); err != nil {
		panic(err)
	}
	if IsChild() {
		f.strikeAt(self.rank, atStart)
		Serve(func(e rank.Engine) int { return serve(e, f) })
	}
	os.Exit(program(f))
}

// A fault is one that the program injects into one rank: when that handles its moment-th message from
// rank 0 (on rank 0: from any rank), or at one of the moments below.
type fault struct {
	kind         string
	rank, moment int
	hops         int // the length of the program without the fault
}

const (
	atStart = -1 - iota // before it joins
	atEnd               // when it has received the message to end
)

func (f fault) String() string { return fmt.Sprint(f.kind, " ", f.rank, " ", f.moment, " ", f.hops) }

// strikeAt injects the fault if this is its moment.
func (f fault) strikeAt(rank, moment int) {
	if f.rank != rank || f.moment != moment {
		return
	}
	strike, known := map[string]func(){
		"kill":  func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) },
		"stop":  func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) },
		"panic": func() { panic("a fault") },
		"exit":  func() { os.Exit(3) },
		"deaf":  func() { os.Exit(3) }, // and rank 3 ignores the loss
		"sleep": func() { time.Sleep(time.Hour) },
	}[f.kind]
	if known {
		testrun.Strike()
		strike()
	}
}

// Messages of the program: a token goes from rank to rank, rank 0 sends noise besides, and stops the
// other ranks when the token has made its hops.
const (
	token = iota
	noise
	stop
)

// program is the main function of rank 0.
func program(f fault) int {
	c := Config{Ranks: 4, Lines: 64}
	if f.kind == "stop" || f.kind == "endless" {
		c.Warn, c.Limit = 300*time.Millisecond, 4*time.Second
	}
	if f.kind == "sleep" {
		c.Warn, c.Join = 300*time.Millisecond, 2*time.Second
	}
	j, err := Start(c)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	f.strikeAt(0, atStart)
	e := j.Engine()
	e.Send(1, &rank.Message{Kind: token, Count: 1})
	play(e, f)
	for to := 1; to < e.Size() && e.Err() == nil; to++ {
		e.Send(to, &rank.Message{Kind: stop})
	}
	if f.kind == "endless" { // rank 3 ignores these
		for range 1000 {
			e.Send(3, &rank.Message{Kind: noise})
		}
	}
	f.strikeAt(0, atEnd)
	if err := j.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// serve is the main function of the other ranks.
func serve(e rank.Engine, f fault) int {
	if _, there := os.LookupEnv(variable); there {
		fmt.Fprintln(os.Stderr, "a rank's own child processes would take themselves for ranks")
		return 1
	}
	if _, err := Start(Config{Ranks: 2}); err == nil {
		fmt.Fprintln(os.Stderr, "a rank has started ranks")
		return 1
	}
	if f.kind == "talk" {
		fmt.Printf("out\nof %d", e.Rank())
		fmt.Fprintf(os.Stderr, "err of %d\n", e.Rank())
	}
	play(e, f)
	f.strikeAt(e.Rank(), atEnd)
	for e.Rank() == 3 && (f.kind == "deaf" || f.kind == "endless") {
		time.Sleep(time.Second)
	}
	return 0
}

// play passes the token on until this rank is stopped, has seen the token's last hop, or has lost
// another rank.
func play(e rank.Engine, f fault) {
	handled := 0
	for over := false; !over && e.Err() == nil; {
		n := e.Poll(8, func(from int, m *rank.Message) bool {
			if from == 0 || e.Rank() == 0 {
				handled++
				f.strikeAt(e.Rank(), handled)
			}
			switch over = m.Kind == stop || e.Rank() == 0 && m.Words[0] >= uint64(f.hops); {
			case over || m.Kind == noise:
				return true
			case e.Rank() == 0:
				for to := 1; to < e.Size(); to++ {
					e.Send(to, &rank.Message{Kind: noise, Tail: make([]byte, 200)})
				}
			}
			m.Words[0]++
			e.Send((e.Rank()+1)%e.Size(), m)
			return true
		})
		if n == 0 {
			e.Sleep(time.Second)
		}
	}
}
