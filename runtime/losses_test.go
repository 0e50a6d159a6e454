package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// The tests of this file run the test binary as a program over several processes, in one of which something goes wrong.

// faultVariable has the fault, in the environment of all processes of the program.
const faultVariable = "RUNTIME_TEST_FAULT"

// lossRanks is how many ranks the program has, with a worker each.
const lossRanks = 3

// A rankFault is what goes wrong, on one rank: in the moment-th body that it runs, or at one of the other moments.
type rankFault struct {
	kind         string
	rank, moment int
	steps        int // how long the program runs without it
}

const (
	atStart = -1 - iota // before the rank takes part
	atEnd               // after it has left the run
)

func (f rankFault) String() string {
	return fmt.Sprint(f.kind, " ", f.rank, " ", f.moment, " ", f.steps)
}

// inBody reports whether a body does it to itself: then it is an error of the run, and no rank is lost.
func (f rankFault) inBody() bool {
	return f.moment > 0 && (f.kind == "panic" || f.kind == "goexit" || f.kind == "misuse" || f.kind == "abort")
}

var (
	myFault rankFault
	bodies  atomic.Int64 // that this rank has run
)

func strikeAt(c *edt.Ctx, rank, moment int) {
	f := &myFault
	if f.rank != rank || f.moment != moment {
		return
	}
	testrun.Strike()
	switch f.kind {
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		time.Sleep(time.Hour) // another thread takes the signal: until then this one would go on
	case "exit":
		os.Exit(3)
	case "panic":
		panic("a fault")
	case "goexit":
		goruntime.Goexit()
	case "misuse":
		c.NewEvent(edt.EventType(99))
	case "abort":
		c.Abort(7)
	}
}

// beVictim is the program, if the process is one.
func beVictim() {
	text, isProgram := os.LookupEnv(faultVariable)
	if !isProgram {
		return
	}
	f := &myFault
	if _, err := fmt.Sscan(text, &f.kind, &f.rank, &f.moment, &f.steps); err != nil {
		panic(err)
	}
	if f.kind == "stop" {
		jobTimes.Warn, jobTimes.Limit = 300*time.Millisecond, 4*time.Second
	}
	me := lossRank()
	strikeAt(nil, me, atStart)
	left := func(Report, error) { strikeAt(nil, me, atEnd) }
	if err := Run(context.Background(), lossMain, Ranks(lossRanks), Workers(1), AtEnd(left)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// lossRank is the number of this rank, from the environment as it was when the process began.
func lossRank() (k int) {
	environment, _ := os.ReadFile("/proc/self/environ")
	if _, value, ok := strings.Cut("\x00"+string(environment), "\x00OCR_RANK="); ok {
		_, _ = fmt.Sscan(value, &k)
	}
	return k
}

// lossHop is one step of a walk over all ranks. Each asks about the next, adds to a block that all want for themselves,
// and waits for an event of the rank before.
var lossHop *edt.Template

func init() {
	lossHop = edt.NewTemplate("runtime_test.lossHop", 3, 2, does(func(c *edt.Ctx, in edt.Args) {
		strikeAt(c, c.Self().Home(), int(bodies.Add(1)))
		datablock.Slice[uint64](in.Dep(1))[0]++
		c.Release(in.Dep(1).GUID())
		if in.Param(0) == 0 {
			c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), guid.Null)
			return
		}
		lossNext(c, (c.Worker()+1)%c.Workers(), in.Param(0)-1, in.Dep(1).GUID(), guid.FromWords(in.Param(1), in.Param(2)))
	}))
}

// lossNext makes the next step.
func lossNext(c *edt.Ctx, worker int, left uint64, block, done guid.GUID) {
	e := c.NewEvent(edt.Once)
	hi, lo := done.Words()
	next := c.NewEDTAt(c.Bind(worker), lossHop, edt.Params(left, hi, lo), edt.From(guid.Uninitialized, datablock.Null),
		edt.From(block, datablock.EW))
	c.AddDependence(e, next, 0, datablock.Null)
	if !c.Exists(next) {
		panic("the next step does not exist")
	}
	c.Satisfy(e, guid.Null)
}

// lossMain has a walk begin on each rank, and shuts down when all have ended.
func lossMain(c *edt.Ctx, _ edt.Args) guid.GUID {
	done := c.NewLatch(int64(c.Workers()))
	c.NewEDT(c.NewTemplate("end", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
		c.Shutdown()
	})), nil, edt.From(done, datablock.Null))
	block := c.NewBlockNoAcquire(8)
	for w := range c.Workers() {
		lossNext(c, w, uint64(myFault.steps), block, done)
	}
	return guid.Null
}

// TestLosses has ranks end in all ways, at random moments of start, run and end. All processes end, nothing is left,
// and the error names the rank.
func TestLosses(t *testing.T) {
	const full = 1000
	n := testrun.Sized(8, 30, full)
	testrun.Losses(t, n, "rank", func(draw *rand.Rand) (fmt.Stringer, func() time.Duration) {
		kinds := []string{"kill", "exit", "panic", "outside", "goexit", "misuse", "abort"}
		f := rankFault{rank: draw.IntN(lossRanks), steps: 1e9}
		if f.moment = []int{atStart, atEnd, 1 + draw.IntN(10), 1 + draw.IntN(1000)}[draw.IntN(4)]; f.moment < 0 {
			kinds = kinds[:4]
			f.steps = draw.IntN(100)
		}
		if f.rank != 0 && n == full { // each takes as long as the limit
			kinds = append(kinds[:len(kinds):len(kinds)], "stop")
		}
		f.kind = kinds[draw.IntN(len(kinds))]
		delay, signal := time.Duration(draw.IntN(80_000))*time.Microsecond, draw.IntN(4)
		return f, func() time.Duration {
			return lose(t, f, delay, []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT}[signal])
		}
	})
}

// lose runs the program with a fault. If it comes from outside it is a signal to one of the processes after some time.
func lose(t *testing.T, f rankFault, delay time.Duration, signal syscall.Signal) time.Duration {
	p := testrun.StartProgram(t, faultVariable, f.String())
	outside := f.kind == "outside"
	if outside {
		time.Sleep(delay)
		p.Signal(f.rank, signal)
	}
	struck := time.Now()
	code, ended := p.End()
	said := p.Said()
	if at, ok := p.Struck(); ok {
		struck = at
	} else if !outside {
		t.Errorf("%v: there was no fault: %s", f, said)
	}
	const isLost = " is lost: its process has ended: "
	lost := fmt.Sprintf("rank %d%s", f.rank, isLost)
	switch {
	case outside && code == 0 && f.moment < 0: // it had ended before
	case outside && !strings.Contains(said, isLost): // it was rank 0 itself
		if code == 0 {
			t.Errorf("%v: exit code 0: %s", f, said)
		}
	case outside && code == 1:
	case f.inBody():
		if want := fmt.Sprintf("of template %s on rank %d", lossHop.Name(), f.rank); code != 1 ||
			!strings.Contains(said, want) || strings.Contains(said, isLost) {
			t.Errorf("%v: exit code %d, want 1 with %q: %s", f, code, want, said)
		}
	case f.rank == 0:
		if code == 0 || strings.Contains(said, isLost) {
			t.Errorf("%v: exit code %d: %s", f, code, said)
		}
	case f.kind == "stop":
		if want := fmt.Sprintf("rank %d is lost: it has not", f.rank); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%v: exit code %d, want 1 with %q: %s", f, code, want, said)
		}
	case code != 1 || !strings.Contains(said, lost):
		t.Errorf("%v: exit code %d, want 1 with %q: %s", f, code, lost, said)
	}
	return ended.Sub(struck)
}

// TestStoppedRank: a stopped rank is reported, and ends the run at the limit; also before it takes part.
func TestStoppedRank(t *testing.T) {
	const stopped = ": its process is stopped\n"
	for _, tt := range []struct {
		not    string
		moment int
		state  string
	}{
		{"handled nothing", 20, stopped},
		{"not joined", atStart, ""}, // a slow machine takes so long to begin the program, which is not stopped yet
	} {
		t.Run(tt.not, func(t *testing.T) {
			t.Parallel() // it waits for the limit
			p := testrun.StartProgram(t, faultVariable, rankFault{"stop", 1, tt.moment, 1e9}.String())
			code, _ := p.End()
			for _, want := range []string{
				"rank 1 has " + tt.not + " for 300ms" + tt.state,
				"runtime: rank 1 is lost: it has not answered for 4s" + stopped,
			} {
				if said := p.Said(); code != 1 || !strings.Contains(said, want) {
					t.Errorf("exit code %d, want 1, with %q: %s", code, want, said)
				}
			}
		})
	}
}
