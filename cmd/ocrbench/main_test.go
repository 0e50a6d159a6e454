package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/sys"
)

func TestMain(m *testing.M) {
	apps = append(apps, testApps...)
	testscript.Main(m, map[string]func(){"ocrbench": main})
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
		},
		Condition:           scriptCondition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptCondition knows "two-cpus": the process may run on two processors.
func scriptCondition(name string) (bool, error) {
	if name != "two-cpus" {
		return false, fmt.Errorf("unknown condition %s", name)
	}
	mask, err := sys.GetAffinity()
	return err == nil && len(mask) > 1, nil
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
// file: once the program has made it, it gets that many interrupts, a moment
// apart. Output goes to the files stdout.txt and stderr.txt.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt CODE SIGNALS PROGRAM ARGS...")
	}
	ready := ts.MkAbs("ready")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd, done := startProgram(ts, ctx, args[2:])
	defer done()
	for ctx.Err() == nil {
		if _, err := os.Stat(ready); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	signals, err := strconv.Atoi(args[1])
	ts.Check(err)
	for range signals {
		ts.Check(cmd.Process.Signal(os.Interrupt))
		time.Sleep(sameSignal + 200*time.Millisecond) // the next is not this one again
	}
	if got := strconv.Itoa(exitCode(cmd.Wait())); got != args[0] {
		ts.Fatalf("exit code %s, want %s; stderr: %s", got, args[0], ts.ReadFile("stderr.txt"))
	}
}

// startProgram starts a program whose output goes to stdout.txt and stderr.txt; $READY
// names the file ready for it. done closes them.
func startProgram(ts *testscript.TestScript, ctx context.Context, args []string) (cmd *exec.Cmd, done func()) {
	out, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	program := args[0]
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, program); !strings.Contains(program, "/") && exec.Command(path).Err == nil {
			program = path
		}
	}
	cmd = exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, errs
	cmd.Env = append(os.Environ(), "READY="+ts.MkAbs("ready"))
	ts.Check(cmd.Start())
	return cmd, func() { _ = errors.Join(out.Close(), errs.Close()) }
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
var testApps = []app{
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
		time.Sleep(20 * time.Second)
		return nil
	}),
	testApp("test_wrong", func(_ context.Context, run int) error {
		if run == 3 {
			return errors.New("corner: expected 7300, got 7299")
		}
		return nil
	}),
	testApp("test_panic", func(context.Context, int) error { panic("out of cheese") }),
	testGraph("test_graph_stuck", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(waiting, nil)
		return guid.Null
	}),
	testGraph("test_graph_panic", func(*edt.Ctx, edt.Args) guid.GUID { panic("in a body") }),
	testGraph("test_graph_abort", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Abort(7)
		return guid.Null
	}),
	testGraph("test_graph_misuse", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		c.Satisfy(event, guid.Null)
		return guid.Null
	}),
}

var waiting = edt.NewTemplate("test.waiting", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })

func makeReady() {
	if err := os.WriteFile(os.Getenv("READY"), nil, 0o666); err != nil {
		panic(err)
	}
}

// testApp returns an app of one form that claims 20 ms for each run.
func testApp(name string, once func(ctx context.Context, run int) error) app {
	return app{name: name, short: "test", command: func(s *session) *cobra.Command {
		cmd := &cobra.Command{Use: name, Args: noArgs}
		s.workerFlags(cmd)
		s.sampleFlags(cmd)
		s.outputFlags(cmd, report.Formats()...)
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			bed, err := s.prepare(cmd)
			if err != nil {
				return err
			}
			run := 0
			return s.measure(cmd.Context(), bed, &experiment{app: name, forms: []bench.Side{{
				Name: name + "/only",
				Once: func(ctx context.Context) (time.Duration, error) {
					run++
					return 20 * time.Millisecond, once(ctx, run)
				},
				Figures: func(elapsed time.Duration, runs int) []bench.Value {
					return []bench.Value{{Unit: "ns/op", Value: float64(elapsed.Nanoseconds()) / float64(runs)}}
				},
			}}})
		}
		return cmd
	}}
}

// testGraph returns an app that runs a graph once, as hello does.
func testGraph(name string, main edt.Func) app {
	return app{name: name, short: "test", command: func(s *session) *cobra.Command {
		cmd := &cobra.Command{Use: name, Args: noArgs}
		s.workerFlags(cmd)
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			m, err := s.readMachine()
			if err != nil {
				return err
			}
			p, err := s.pool(cmd, m)
			if err != nil {
				return err
			}
			s.begin()
			return p.run(cmd.Context(), main, nil, name)
		}
		return cmd
	}}
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
	var out, errs strings.Builder
	code = run(ctx, append([]string{"ocrbench"}, args...), stdio{strings.NewReader(""), &out, &errs}, env)
	return code, out.String(), errs.String()
}
