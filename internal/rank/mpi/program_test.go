//go:build mpi

package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/chaos"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// The program that a process is to run if mpirun has started it for one of these tests.
const programVariable = "MPI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	chaos.DelayIfAsked()
	if name := os.Getenv(programVariable); name != "" {
		if err := program(name); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program runs the program of a name: a name for mainOf, with "windowed " before it if the run has a window.
func program(name string) error {
	name, windowed := strings.CutPrefix(name, "windowed ")
	window := 0
	if windowed {
		window = 4096
	}
	if name == "strangers" && mpi.IsChild() {
		edt.NewTemplate("mpi_test.stranger", 1, 2, faultBody)
	}
	options := runtime.Options(runtime.Ranks(mpi.Ranks()), runtime.Workers(1), runtime.Window(window))
	if name == "callback" && !mpi.IsChild() {
		options = runtime.Options(options, runtime.AtEnd(func(runtime.Report, error) { panic("on purpose") }))
	}
	pool, err := runtime.New(options)
	if err != nil {
		return err
	}
	for range 3 {
		if err = pool.Run(context.Background(), mainOf(name)); err != nil {
			var p *edt.PanicError
			if errors.As(err, &p) {
				err = fmt.Errorf("panic on rank %d: %w", p.EDT.Home(), err)
			}
			break
		}
		fmt.Println("run over")
	}
	if closed := pool.Close(); err == nil {
		err = closed
	}
	if err == nil && name == "late" {
		return runtime.Run(context.Background(), mainOf("hops"), options)
	}
	return err
}

// The templates, which their own bodies name.
var hop, fault, die, nest *edt.Template

func init() {
	hop = edt.NewTemplate("mpi_test.hop", 2, 1, hopBody)
	fault = edt.NewTemplate("mpi_test.fault", 2, 1, faultBody)
	die = edt.NewTemplate("mpi_test.die", 2, 1, dieBody)
	nest = edt.NewTemplate("mpi_test.nest", 2, 1, nestBody)
}

// mainOf makes the main EDT of a program. It creates a block that has a word for each rank.
func mainOf(name string) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		first, hops := hop, uint64(400)
		switch name {
		case "endless":
			hops = 1e12
		case "fault":
			first = fault
		case "die":
			first = die
		case "nest":
			first, hops = nest, 0
		}
		c.NewEDT(first, edt.Params(hops, hops), edt.From(c.NewBlockNoAcquire(8*c.Workers()), datablock.RW))
		return guid.Null
	}
}

// hopBody counts its rank in the block, and passes the block to the next rank, as many times as its first parameter
// says.
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

// faultBody uses a nil pointer on the last rank.
func faultBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	if c.Self().Home() == c.Workers()-1 {
		var p *int
		*p = 1
	}
	return again(c, fault)
}

// dieBody kills the process of the last rank.
func dieBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	if c.Self().Home() == c.Workers()-1 {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	}
	return again(c, die)
}

// nestBody tries to run a program over ranks, on each rank.
func nestBody(c *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Println(runtime.Run(context.Background(), mainOf("hops"), runtime.Ranks(c.Workers()), runtime.Workers(1)))
	if rank := c.Self().Home(); rank == int(in.Param(0)) && rank < c.Workers()-1 {
		next := uint64(rank + 1)
		c.NewEDTAt(c.Bind(rank+1), nest, edt.Params(next, 0), edt.From(guid.Null, datablock.Null))
	}
	return guid.Null
}

// again creates an EDT on the last rank.
func again(c *edt.Ctx, t *edt.Template) guid.GUID {
	c.NewEDTAt(c.Bind(c.Workers()-1), t, edt.Params(0, 0), edt.From(guid.Null, datablock.Null))
	return guid.Null
}

// run runs a program as a job of ranks, and returns its output and mpirun's.
func run(t *testing.T, ranks int, name string, options ...string) (said string, code int) {
	t.Helper()
	p := testrun.StartProgram(t, programVariable, name, testrun.Mpirun(ranks, options...)...)
	code, _ = p.End()
	return p.Said(), code
}

// TestProgram: the output and the exit codes of programs over ranks.
func TestProgram(t *testing.T) {
	for _, tc := range []struct {
		name  string
		ranks int
		code  int
		want  string
		times int
	}{
		{"hops", 2, 0, "run over\n", 3},
		{"hops", 4, 0, "run over\n", 3},
		{"nest", 2, 0, "Ranks(2): called in a body or callback of a run over ranks; ranks are started outside of runs\n", 6},
		{"late", 2, 1, "Ranks(2): the ranks that mpirun has started have ended with the run before", 1},
		{"strangers", 3, 1, "has registered other templates: the first that differs, number 4, is mpi_test.stranger " +
			"(1 parameters, 2 slots), and on rank 0 missing", 1},
		{"callback", 2, 2, "panic: on purpose", 1},
		// a nil pointer in a body is a panic of that EDT, whatever MPI does with signals
		{"fault", 2, 1, "panic on rank 1: ", 1},
		{"fault", 2, 1, "nil pointer dereference", 1},
	} {
		if out, code := run(t, tc.ranks, tc.name); code != tc.code || strings.Count(out, tc.want) != tc.times {
			t.Errorf("%s over %d ranks: exit code %d, want %d and %d times %q\n%s", tc.name, tc.ranks, code, tc.code,
				tc.times, tc.want, out)
		}
	}
}

// TestOtherBuild: a rank whose program differs in one byte is refused.
func TestOtherBuild(t *testing.T) {
	own, err := os.Executable()
	testrun.OK(t, err)
	program, err := os.ReadFile(own)
	testrun.OK(t, err)
	other := filepath.Join(t.TempDir(), "other")
	testrun.OK(t, os.WriteFile(other, append(program, 0), 0o700))
	out, code := run(t, 1, "hops", other, ":", "-n", "1")
	if code != 1 || !strings.Contains(out, "Ranks(2): rank 1 is another build of the program: ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestNoWindow: if MPI has no one-sided operations that reach all ranks, a run with a window ends with one line, on all
// ranks.
func TestNoWindow(t *testing.T) {
	out, code := run(t, 2, "windowed hops", "--mca", "osc", "^sm,rdma,pt2pt,ucx")
	if said := "mpi: as it is set up, this MPI has no one-sided operations that reach all ranks"; code == 0 ||
		strings.Count(out, said) != 1 || strings.Contains(out, "MPI_ERR") {
		t.Errorf("exit code %d, want %q\n%s", code, said, out)
	}
}

// patient makes mpirun wait this long for processes that it has told to end, as ranks may be slow.
var patient = []string{"--mca", "odls_base_sigkill_timeout", "4"}

// TestKilled: if a rank is killed all ranks end, and mpirun says why.
func TestKilled(t *testing.T) {
	out, code := run(t, 3, "die", patient...)
	if code == 0 || !strings.Contains(out, "rank 2 with PID") {
		t.Errorf("exit code %d, want that rank 2 is named\n%s", code, out)
	}
}

// A kill is a SIGKILL from outside to one of the ranks, or to mpirun.
type kill struct {
	program       string
	ranks, victim int
	after         time.Duration
}

func (k kill) String() string {
	return fmt.Sprintf("%s over %d ranks, process %d killed after %v", k.program, k.ranks, k.victim, k.after)
}

// TestLosses kills ranks and mpirun at random moments of start, runs and end. All processes end, mpirun names the rank,
// and nothing is left but what mpirun itself leaves if it is killed.
func TestLosses(t *testing.T) {
	testrun.Losses(t, testrun.Sized(8, 16, 200), "rank", func(draw *rand.Rand) (fmt.Stringer, func() time.Duration) {
		k := kill{[]string{"hops", "endless"}[draw.IntN(2)], 2 + 2*draw.IntN(2),
			draw.IntN(5), time.Duration(draw.IntN(1200)) * time.Millisecond}
		return k, func() time.Duration { return lose(t, k) }
	})
}

func lose(t *testing.T, k kill) time.Duration {
	p := testrun.StartProgram(t, programVariable, k.program, testrun.Mpirun(k.ranks, patient...)...)
	time.Sleep(k.after)
	struck := time.Now()
	rank := p.Signal(k.victim, syscall.SIGKILL)
	p.MayLeave = []string{"vader_segment."} // left by a rank that was killed while it made the file
	if rank < 0 {                           // mpirun was killed
		p.MayLeave = append(p.MayLeave, "ompi.")
	}
	code, ended := p.End()
	said := p.Said()
	// If a rank is killed before it has initialized MPI, mpirun may not name it.
	named := regexp.MustCompile(
		fmt.Sprintf(`rank %d with PID|Process name: \[\[\d+,1\],%d\]|1 process returned\s+a non-zero exit code`,
			rank, rank),
	)
	switch {
	case p.Hung(): // mpirun 4.1.4 hangs now and then, when all ranks have ended
		t.Logf("%v: mpirun did not end", k)
	case code == 0 && strings.HasSuffix(k.program, "hops"): // the program had ended before the kill
	case code == 0:
		t.Errorf("%v: exit code 0\n%s", k, said)
	case rank >= 0 && !named.MatchString(said):
		t.Errorf("%v: rank %d is not named\n%s", k, rank, said)
	}
	return ended.Sub(struck)
}
