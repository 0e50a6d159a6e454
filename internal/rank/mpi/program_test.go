//go:build mpi

package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/chaos"
	"ocr/internal/proof/remote"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// What a process is to do that mpirun has started for one of these tests.
const programVariable = "MPI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	chaos.DelayIfAsked()
	remote.ServeIfAsked(func() (rank.Engine, func() error, error) {
		if err := mpi.Force(); err != nil {
			return nil, nil, err
		}
		j, err := mpi.Join()
		if err != nil {
			return nil, nil, err
		}
		return rank.Passed(j.Engine), j.Close, nil
	})
	if name := os.Getenv(programVariable); name != "" {
		if rest, shortened := strings.CutPrefix(name, "soon "); shortened {
			name = rest
			mpi.LoseAfter(3)
		}
		runtime.ServeIfRank()
		if err := program(name); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is what rank 0 does: its name is that of a main EDT, behind "forced " if all messages are to go over MPI, and
// "windowed " if runs have a window.
func program(name string) error {
	name, forced := strings.CutPrefix(name, "forced ")
	name, windowed := strings.CutPrefix(name, "windowed ")
	if forced {
		if err := mpi.Force(); err != nil {
			return err
		}
	}
	j, err := runtime.StartJob(mpi.Ranks())
	if err != nil {
		return err
	}
	window := 0
	if windowed {
		window = 4096
	}
	for range 3 {
		var r runtime.Report
		if err = runtime.Run(context.Background(), mainOf(name), j.Option(), runtime.Workers(1), runtime.Window(window),
			runtime.Into(&r)); err != nil {
			var p *edt.PanicError
			if errors.As(err, &p) {
				err = fmt.Errorf("panic on rank %d: %w", p.EDT.Home(), err)
			}
			break
		}
		fmt.Println("run over", r.Engine, strings.Join(r.Warnings, "; "))
	}
	if closed := j.Close(); err == nil {
		err = closed
	}
	return err
}

// The templates, whose bodies name them.
var hop, fault, die *edt.Template

func init() {
	hop = edt.NewTemplate("mpi_test.hop", 2, 1, hopBody)
	fault = edt.NewTemplate("mpi_test.fault", 2, 1, faultBody)
	die = edt.NewTemplate("mpi_test.die", 2, 1, dieBody)
}

// mainOf makes the first EDT of a program, with a block that has a word for each rank.
func mainOf(name string) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		first, hops := map[string]*edt.Template{"hops": hop, "endless": hop, "fault": fault, "die": die}[name], uint64(400)
		if name == "endless" {
			hops = 1e12
		}
		c.NewEDT(first, edt.Params(hops, hops), edt.From(c.NewBlockNoAcquire(8*c.Workers()), datablock.RW))
		return guid.Null
	}
}

// hopBody counts its rank in a block, and passes the block to another rank, as often as its first parameter says.
func hopBody(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0).GUID()
	sums := datablock.Slice[uint64](in.Dep(0))
	sums[c.Self().Home()]++
	left := in.Param(0)
	if left == 0 {
		total := uint64(0)
		for _, n := range sums {
			total += n
		}
		if total != in.Param(1)+1 || sums[0] != sums[len(sums)-1]+1 && sums[0] != sums[len(sums)-1] {
			c.Abort(1)
		}
		c.DestroyBlock(block)
		return guid.Null
	}
	c.Release(block)
	next := (c.Self().Home() + 1) % c.Workers()
	c.NewEDTAt(c.Bind(next), hop, edt.Params(left-1, in.Param(1)), edt.From(block, datablock.RW))
	return guid.Null
}

// faultBody uses a nil pointer, on the last rank.
func faultBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	if c.Self().Home() == c.Workers()-1 {
		var p *int
		*p = 1
	}
	return again(c, fault)
}

// dieBody ends the process of the last rank as no process should.
func dieBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	if c.Self().Home() == c.Workers()-1 {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	}
	return again(c, die)
}

// again goes to the last rank.
func again(c *edt.Ctx, t *edt.Template) guid.GUID {
	c.NewEDTAt(c.Bind(c.Workers()-1), t, edt.Params(0, 0), edt.From(guid.Null, datablock.Null))
	return guid.Null
}

// run runs a program as a job of ranks, and returns the output of it and mpirun.
func run(t *testing.T, ranks int, name string, options ...string) (said string, code int) {
	t.Helper()
	p := testrun.StartProgram(t, programVariable, name, testrun.Mpirun(ranks, options...)...)
	code, _ = p.End()
	return p.Out() + p.Said(), code
}

// TestProgram: runs of one job have the engine that rank 0 has asked for.
func TestProgram(t *testing.T) {
	for name, want := range map[string]string{"hops": "run over ring", "forced hops": "run over mpi"} {
		for _, ranks := range []int{2, 4} {
			if out, code := run(t, ranks, name); code != 0 || strings.Count(out, want) != 3 {
				t.Errorf("%s over %d ranks: exit code %d, want %q\n%s", name, ranks, code, want, out)
			}
		}
	}
}

// TestFault: a nil pointer in a body is a panic of that EDT, whatever MPI does with signals.
func TestFault(t *testing.T) {
	for _, name := range []string{"fault", "forced fault"} {
		out, code := run(t, 2, name)
		if code == 0 || !strings.Contains(out, "panic on rank 1: ") || !strings.Contains(out, "nil pointer dereference") ||
			!strings.Contains(out, "program_test.go:") {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
}

// TestNoWindow: if nothing of MPI reaches all ranks for a window, the run ends with one line, on all ranks.
func TestNoWindow(t *testing.T) {
	out, code := run(t, 2, "forced windowed hops", "--mca", "osc", "^sm,rdma,pt2pt,ucx")
	if said := "mpi: as it is set up, this MPI has no one-sided operations that reach all ranks"; code == 0 ||
		strings.Count(out, said) != 1 || strings.Contains(out, "MPI_ERR") {
		t.Errorf("exit code %d, want %q\n%s", code, said, out)
	}
}

// patient has mpirun wait so long for what it has told to end: ranks may be slow.
var patient = []string{"--mca", "odls_base_sigkill_timeout", "4"}

// TestKilled: if a rank is killed all end, and rank 0 says why. What mpirun says depends on which end it sees first.
func TestKilled(t *testing.T) {
	for name, want := range map[string]string{
		"die":        "rank 2 is lost: its process has ended",
		"forced die": "is lost: mpirun has told it to end: another rank is gone, see its message",
	} {
		out, code := run(t, 3, name, patient...)
		if code == 0 || !strings.Contains(out, want) || !strings.Contains(out, "mpirun ") {
			t.Errorf("%s: exit code %d, want %q\n%s", name, code, want, out)
		}
	}
}

// TestStopped: a rank that is stopped is lost after a limit.
func TestStopped(t *testing.T) {
	p := testrun.StartProgram(t, programVariable, "soon endless", testrun.Mpirun(3, patient...)...)
	for number := 0; p.Signal(number, 0) != 2; number++ {
		time.Sleep(10 * time.Millisecond) // it has not begun, or is another rank
	}
	time.Sleep(time.Second) // else it may not take part yet
	for number := range 4 { // mpirun is one
		if p.Signal(number, 0) == 2 {
			p.Signal(number, syscall.SIGSTOP)
		}
	}
	const want = "rank 2 is lost: it has not answered for 3s: its process is stopped or hangs"
	code, _ := p.End()
	if said := p.Out() + p.Said(); code == 0 || !strings.Contains(said, want) {
		t.Errorf("exit code %d, want %q\n%s", code, want, said)
	}
}

// A kill is a SIGKILL from outside, to one of the ranks or to mpirun.
type kill struct {
	program       string
	ranks, victim int
	after         time.Duration
}

func (k kill) String() string {
	return fmt.Sprintf("%s over %d ranks, process %d killed after %v", k.program, k.ranks, k.victim, k.after)
}

// TestLosses kills ranks and mpirun at random moments of start, runs and end. All processes end; mpirun or rank 0 names
// the rank; nothing is left but what mpirun itself leaves if it is killed.
func TestLosses(t *testing.T) {
	testrun.Losses(t, testrun.Sized(8, 16, 400), "rank", func(draw *rand.Rand) (fmt.Stringer, func() time.Duration) {
		k := kill{[]string{"hops", "forced hops", "forced endless", "endless"}[draw.IntN(4)], 2 + 2*draw.IntN(2),
			draw.IntN(5), time.Duration(draw.IntN(1200)) * time.Millisecond}
		return k, func() time.Duration { return lose(t, k) }
	})
}

func lose(t *testing.T, k kill) time.Duration {
	p := testrun.StartProgram(t, programVariable, k.program, testrun.Mpirun(k.ranks, patient...)...)
	time.Sleep(k.after)
	struck := time.Now()
	rank := p.Signal(k.victim, syscall.SIGKILL)
	p.MayLeave = []string{"vader_segment."} // of a rank that was killed as it made it
	if rank < 0 {                           // mpirun
		p.MayLeave = append(p.MayLeave, "ompi.")
	}
	code, ended := p.End()
	said := p.Out() + p.Said()
	// If a rank is gone before it has begun MPI, mpirun may not say which.
	named := regexp.MustCompile(
		fmt.Sprintf(`rank %d (is lost|with PID)|Process name: \[\[\d+,1\],%d\]|1 process returned\s+a non-zero exit code`,
			rank, rank),
	)
	switch {
	case p.Hung(): // mpirun 4.1.4 does that now and then, with all ranks ended
		t.Logf("%v: mpirun did not end", k)
	case code == 0 && strings.HasSuffix(k.program, "hops"): // it had ended before
	case code == 0:
		t.Errorf("%v: exit code 0\n%s", k, said)
	case rank >= 0 && !named.MatchString(said):
		t.Errorf("%v: rank %d is not named\n%s", k, rank, said)
	}
	return ended.Sub(struck)
}
