package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/bench"
	"ocr/internal/cli"
	"ocr/internal/command"
	"ocr/internal/sys"
	"ocr/internal/testbed"
	"ocr/internal/testrun"
)

func TestMain(m *testing.M) {
	if signal.Ignored(syscall.SIGHUP) { // under nohup: programs that are started would ignore it too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	for _, c := range testApps {
		apps = append(apps, c)
	}
	testscript.Main(m, map[string]func(){"ocrbench": hearingMain})
}

// hearingMain is main. It makes the file $HEARS once SIGQUIT does not end the process any more.
func hearingMain() {
	if path := os.Getenv("HEARS"); path != "" {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGQUIT)
		makeFile(path)
	}
	main()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     cmdExits,
			"oneline":   cmdOneLine,
			"interrupt": cmdInterrupt,
			"quit":      cmdQuit,
			"isxml":     cmdIsXML,
			"alone":     cmdAlone,
		},
		Condition: scriptCondition,
		Setup: func(env *testscript.Env) error {
			source, err := filepath.Abs("../..") // docs are compared with
			env.Setenv("SOURCE", source)
			return err
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptCondition knows "two-cpus": the process may run on two processors; "tsan": it is built with the race detector, which needs
// address space of its own; and "cgo": it is built with the C library, which needs some too.
func scriptCondition(name string) (bool, error) {
	switch name {
	case "tsan":
		return testrun.Race(), nil
	case "cgo":
		return testrun.Cgo(), nil
	case "two-cpus":
		mask, err := sys.GetAffinity()
		return err == nil && len(mask) > 1, nil
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

// cmdExits runs "exits CODE PROGRAM ARGS..." and fails where the exit code differs.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdOneLine runs "oneline FILE LINE" and fails where FILE is not that one line.
func cmdOneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: oneline FILE LINE")
	}
	if got := ts.ReadFile(args[0]); got != args[1]+"\n" {
		ts.Fatalf("%s is %q, want the line %q", args[0], got, args[1])
	}
}

// cmdIsXML runs "isxml FILE" and fails where FILE is not well-formed XML.
func cmdIsXML(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: isxml FILE")
	}
	d := xml.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	for elements := 0; ; {
		token, err := d.Token()
		switch _, element := token.(xml.StartElement); {
		case err == io.EOF && elements > 0:
			return
		case err != nil:
			ts.Fatalf("%s: %v after %d elements", args[0], err, elements)
		case element:
			elements++
		}
	}
}

// cmdInterrupt runs "interrupt CODE SIGNALS PROGRAM ARGS..." with $READY naming a
// file: once the program has made it, it gets one interrupt, or SIGHUP or SIGTERM with
// "hup" or "term" for SIGNALS, or with "again" interrupts until it has ended. Output goes
// to the files stdout.txt and stderr.txt.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt CODE SIGNALS PROGRAM ARGS...")
	}
	p := startProgram(ts, args[2:])
	p.awaitFile(ts, "ready")
	first := map[string]os.Signal{"hup": syscall.SIGHUP, "term": syscall.SIGTERM}[args[1]]
	p.signal(cmp.Or[os.Signal](first, os.Interrupt))
	var again <-chan time.Time
	if args[1] == "again" {
		ticker := time.NewTicker(1500 * time.Millisecond) // the next is not this one again
		defer ticker.Stop()
		again = ticker.C
	}
	for {
		select {
		case <-again:
			p.signal(os.Interrupt)
			continue
		case <-p.ended:
		}
		break
	}
	if got := strconv.Itoa(exitCode(p.err)); got != args[0] {
		ts.Fatalf("exit code %s, want %s; stderr: %s", got, args[0], ts.ReadFile("stderr.txt"))
	}
}

// cmdAlone runs "alone" and returns once no process is left that the script has started by interrupt or quit.
func cmdAlone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: alone")
	}
	mark := []byte("READY=" + ts.MkAbs("ready"))
	left := func(environ string) bool {
		text, err := os.ReadFile(environ)
		return err == nil && bytes.Contains(text, mark)
	}
	for {
		all, err := filepath.Glob("/proc/[0-9]*/environ")
		ts.Check(err)
		if !slices.ContainsFunc(all, left) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A program is one that a script has started.
type program struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed at its end
	err   error         // of the end
}

// signal sends a signal, unless the program has ended.
func (p *program) signal(s os.Signal) { _ = p.cmd.Process.Signal(s) }

// awaitFile waits until the program has made a file.
func (p *program) awaitFile(ts *testscript.TestScript, name string) {
	for {
		if _, err := os.Stat(ts.MkAbs(name)); err == nil {
			return
		}
		select {
		case <-p.ended:
			ts.Fatalf("ended before it made the file %s: %v; stderr: %s", name, p.err, ts.ReadFile("stderr.txt"))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// startProgram starts a program whose output goes to stdout.txt and stderr.txt; $READY
// and $HEARS name the files ready and hears for it. It is killed if the script fails.
func startProgram(ts *testscript.TestScript, args []string) *program {
	out, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	path := args[0]
	if !strings.Contains(path, "/") { // testscript puts the programs of the test first
		path = filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], path)
	}
	ready, hears := ts.MkAbs("ready"), ts.MkAbs("hears")
	_, _ = os.Remove(ready), os.Remove(hears)
	p := &program{cmd: exec.Command(path, args[1:]...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = ts.MkAbs("."), out, errs
	p.cmd.Env = append(os.Environ(), "READY="+ready, "HEARS="+hears)
	ts.Check(p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		_ = errors.Join(out.Close(), errs.Close())
		close(p.ended)
	}()
	ts.Defer(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	})
	return p
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -2
}

// testApps are apps that only tests have: each goes wrong in its own way.
var testApps = []*command.Command{
	// slow tells $READY after three samples, and stops when it is interrupted.
	testApp("test_slow", func(ctx context.Context, run int) error {
		if run == 4 {
			makeReady()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
			return nil
		}
	}),
	// deaf tells $READY and does not hear the interrupt.
	testApp("test_deaf", func(context.Context, int) error {
		makeReady()
		time.Sleep(time.Hour)
		return nil
	}),
	testApp("test_wrong", func(_ context.Context, run int) error {
		if run == 3 {
			return errors.New("corner: expected 7300, got 7299")
		}
		return nil
	}),
	testApp("test_panic", func(context.Context, int) error { panic("out of cheese") }),
	// long measures an EDT that does not end in its third run, and waits $READY long.
	testGraphForm("test_long", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		if longRuns++; longRuns == 3 {
			makeReady()
			time.Sleep(time.Hour)
		}
		return guid.Null
	}),
	testGraph("test_graph_stuck", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(waiting, nil)
		return guid.Null
	}),
	testGraph("test_graph_panic", func(*edt.Ctx, edt.Args) guid.GUID { panic("in a body") }),
	testGraph("test_graph_abort", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Abort(7)
		return guid.Null
	}),
	// rank_slow tells $READY from another rank in the third run, and rank_long waits there for long.
	testGraphForm("test_rank_slow", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDTAt(c.Bind(c.Workers()-1), rankSlow, nil)
		return guid.Null
	}),
	testGraphForm("test_rank_long", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDTAt(c.Bind(c.Workers()-1), rankLong, nil)
		return guid.Null
	}),
	testGraph("test_rank_template", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		made := c.NewTemplate("made.here", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		c.NewEDTAt(c.Bind(c.Workers()-1), made, nil)
		return guid.Null
	}),
	testGraph("test_rank_panic", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDTAt(c.Bind(c.Workers()-1), rankPanics, nil)
		return guid.Null
	}),
	// rank_race has an EDT on each rank write to one word.
	testGraph("test_rank_race", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		b, done := c.NewBlockNoAcquire(8), c.NewLatch(2)
		c.NewEDTAt(0, rankLast, nil, edt.From(b, datablock.RW), edt.From(done, datablock.Null))
		hi, lo := done.Words()
		for _, worker := range []int{0, c.Workers() - 1} {
			c.NewEDTAt(c.Bind(worker), rankWrites, edt.Params(hi, lo, uint64(worker)+1), edt.From(b, datablock.RW))
		}
		return guid.Null
	}),
	testGraph("test_graph_misuse", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		c.Satisfy(event, guid.Null)
		return guid.Null
	}),
}

var longRuns int

var (
	rankSlow = edt.NewTemplate("test.rank.slow", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
		if longRuns++; longRuns == 3 {
			makeReady()
		}
		return guid.Null
	})
	rankLong = edt.NewTemplate("test.rank.long", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
		if longRuns++; longRuns == 3 {
			makeReady()
			time.Sleep(time.Hour)
		}
		return guid.Null
	})
	rankWrites = edt.NewTemplate("test.rank.writes", 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		datablock.Slice[uint64](in.Dep(0))[0] = in.Param(2)
		c.Release(in.Dep(0).GUID())
		c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
		return guid.Null
	})
	rankLast = edt.NewTemplate("test.rank.last", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	})
	rankPanics = edt.NewTemplate("test.rank.panics", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { panic("on a rank") })
)

var waiting = edt.NewTemplate("test.waiting", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })

func makeReady() { makeFile(os.Getenv("READY")) }

func makeFile(path string) {
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		panic(err)
	}
}

// testApp returns an app of one form that claims 20 ms for each run.
func testApp(name string, once func(ctx context.Context, run int) error) *command.Command {
	return &command.Command{Name: name, Short: "test", Make: func(s *command.Session) *cobra.Command {
		cmd := &cobra.Command{Use: name, Args: cli.NoArgs}
		f := s.FlagsOf(cmd)
		f.RankFlags()
		f.SampleFlags()
		f.DocumentFlags()
		f.RunFlags(command.Aptness{})
		cmd.RunE = f.Run(func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
			run := 0
			d, err := bed.Measure(ctx, &testbed.Experiment{App: name, Forms: []bench.Side{{
				Name: name + "/only",
				Once: func(ctx context.Context) (time.Duration, error) {
					run++
					return 20 * time.Millisecond, once(ctx, run)
				},
				Figures: func(elapsed time.Duration, runs int) []bench.Value {
					return []bench.Value{{Unit: "ns/op", Value: float64(elapsed.Nanoseconds()) / float64(runs)}}
				},
			}}})
			return out.Write(d, err)
		})
		return cmd
	}}
}

// testGraphForm returns an app that measures a graph, as synch_p2p does.
func testGraphForm(name string, main edt.Func) *command.Command {
	return &command.Command{Name: name, Short: "test", Make: func(s *command.Session) *cobra.Command {
		cmd := &cobra.Command{Use: name, Args: cli.NoArgs}
		f := s.FlagsOf(cmd)
		f.RankFlags()
		f.SampleFlags()
		f.DocumentFlags()
		f.ObserveFlags()
		f.RunFlags(command.Aptness{})
		cmd.RunE = f.Run(func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
			d, err := bed.Measure(ctx, graphForm(bed, name, main))
			return out.Write(d, err)
		})
		return cmd
	}}
}

// graphForm is an experiment of one form that claims 20 ms for each run of a graph.
func graphForm(bed *testbed.Bed, name string, main edt.Func) *testbed.Experiment {
	g := new(testbed.GraphRun)
	once := func(ctx context.Context, o testbed.RunOptions) error {
		watchedRuns.all++
		if o.Observe != nil {
			watchedRuns.observed++
		}
		run, err := bed.Pool.Run(ctx, main, o, name)
		if err == nil {
			*g = run
		}
		return err
	}
	return &testbed.Experiment{App: name, Graph: g, Observed: name + "/only", Once: once, Forms: []bench.Side{{
		Name:    name + "/only",
		Once:    func(ctx context.Context) (time.Duration, error) { return 20 * time.Millisecond, once(ctx, bed.Options) },
		Figures: func(time.Duration, int) []bench.Value { return []bench.Value{{Unit: "ns/op", Value: 1}} },
	}}}
}

// testGraph returns an app that runs a graph once, as hello does.
func testGraph(name string, main edt.Func) *command.Command {
	return &command.Command{Name: name, Short: "test", Make: func(s *command.Session) *cobra.Command {
		cmd := &cobra.Command{Use: name, Args: cli.NoArgs}
		f := s.FlagsOf(cmd)
		f.RankFlags()
		f.RunFlags(command.Aptness{})
		cmd.RunE = f.Run(func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
			_, err := bed.Pool.Run(ctx, main, bed.Options, name)
			return err
		})
		return cmd
	}}
}

// flagsTo returns the flags of a command that writes its results to out.
func flagsTo(out io.Writer) *command.Flags {
	f := ocrbench().NewSession([]string{"ocrbench"}, command.IO{Out: out, Err: io.Discard}, noEnv).FlagsOf(&cobra.Command{Use: "test"})
	f.Console.Quiet = true
	return f
}

// ocrbench is what main runs.
func ocrbench() command.Program {
	p := command.Program{Name: "ocrbench"}
	for _, c := range apps {
		p.Commands = append(p.Commands, c.(*command.Command))
	}
	return p
}

// noEnv is an environment without any variable.
func noEnv(string) (string, bool) { return "", false }

// envOf returns an environment of NAME=VALUE pairs.
func envOf(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

// call runs the command in this process.
func call(ctx context.Context, env func(string) (string, bool), args ...string) (code int, stdout, stderr string) {
	return callTelling(ctx, nil, env, args...)
}

func callTelling(ctx context.Context, progress func(bench.Progress), env func(string) (string, bool), args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = ocrbench().NewSession(append([]string{"ocrbench"}, args...), command.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Progress: progress}, env).Run(ctx)
	return code, out.String(), errs.String()
}

// callInterrupted runs the command in this process and interrupts it before the first
// sample that is due for it.
func callInterrupted(t *testing.T, due func(bench.Progress) bool, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancelCause(t.Context())
	return callTelling(ctx, func(p bench.Progress) {
		if due(p) {
			cancel(testbed.ErrInterrupted)
		}
	}, noEnv, args...)
}

// callInterruptedInside is callInterrupted while a run goes on that does not end by itself: a
// moment after it was about to begin.
func callInterruptedInside(t *testing.T, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancelCause(t.Context())
	return callTelling(ctx, func(bench.Progress) {
		time.AfterFunc(50*time.Millisecond, func() { cancel(testbed.ErrInterrupted) })
	}, noEnv, args...)
}

// thirdSample is when each side has had two samples.
func thirdSample(p bench.Progress) bool { return !p.Warmup && p.Done == 2 }
