package runtime

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/job"
)

// The test binary is also the programs that the tests of ranks run: those of programs if the environment has the name
// of one, rank 0 and the others.
const (
	programVariable  = "RUNTIME_TEST_PROGRAM"
	strangerVariable = "RUNTIME_TEST_STRANGER"
)

var programs = map[string]func() int{"talk": talk, "onAndOn": onAndOn, "twice": twice, "sleepy": sleepy,
	"verbose": verbose, "nested": nested}

func beProgram() {
	if text := os.Getenv(strangerVariable); text != "" && job.IsChild() {
		edt.NewTemplate(text, 1, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	}
	if name := os.Getenv(programVariable); name != "" {
		os.Exit(programs[name]())
	}
}

// sayRank says on which rank it runs.
var sayRank = edt.NewTemplate("runtime_test.sayRank", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
	fmt.Printf("out of rank %d\n", c.Self().Home())
	fmt.Fprintf(os.Stderr, "err of rank %d\n", c.Self().Home())
}))

func everywhere(t *edt.Template) edt.Func {
	return starting(func(c *edt.Ctx) {
		for k := range c.Workers() {
			c.NewEDTAt(c.Bind(k), t, nil)
		}
	})
}

func talk() int {
	fmt.Println("main")
	if err := Run(context.Background(), everywhere(sayRank), Ranks(2), Workers(1)); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("after the run")
	return 3
}

// verboseLines is how many lines of 100 bytes rank 1 writes: what two pipes hold, and not one.
const verboseLines = 1200

// sayMuch does so.
var sayMuch = edt.NewTemplate("runtime_test.sayMuch", 0, 0, does(func(*edt.Ctx, edt.Args) {
	for k := range verboseLines {
		fmt.Printf("%0*d\n", 99-len("[1] "), k)
	}
}))

func verbose() int {
	main := starting(func(c *edt.Ctx) { c.NewEDTAt(c.Bind(1), sayMuch, nil) })
	if err := Run(context.Background(), main, Ranks(2), Workers(1)); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// twice has one run with ranks after the other: the processes of both begin at main, and serve at the first Run.
func twice() int {
	for k := range 2 {
		if err := Run(context.Background(), everywhere(sayRank), Ranks(2+k), Workers(1)); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	return 0
}

// sayAndGoOn goes to and fro between the ranks.
var sayAndGoOn, goOn *edt.Template

func init() {
	goOn = edt.NewTemplate("runtime_test.goOn", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
		c.NewEDTAt(c.Bind(1-c.Worker()), goOn, nil)
	}))
	sayAndGoOn = edt.NewTemplate("runtime_test.sayAndGoOn", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
		fmt.Println("going on")
		c.NewEDTAt(c.Bind(1-c.Worker()), goOn, nil)
	}))
}

// onAndOn runs until it is interrupted.
func onAndOn() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := Run(ctx, everywhere(sayAndGoOn), Ranks(2), Workers(1))
	fmt.Println(err)
	return 5
}

// sleepy never gets to its run on the other ranks.
func sleepy() int {
	if job.IsChild() {
		fmt.Println("asleep")
		time.Sleep(time.Hour)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := Run(ctx, everywhere(sayRank), Ranks(3), Workers(1))
	fmt.Println(err)
	return 6
}

func program(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), programVariable+"="+name)
	return cmd
}

// exitCode is that of a process that has ended so.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func sortedLines(s string) []string { return slices.Sorted(strings.Lines(s)) }

// TestJobOutput: what ranks write comes out at rank 0, with the rank in front. What main does before its run is done in
// each rank, and what comes after that on rank 0 alone; the exit code is rank 0's.
func TestJobOutput(t *testing.T) {
	var out, errs strings.Builder
	cmd := program("talk")
	cmd.Stdout, cmd.Stderr = &out, &errs
	testrun.Equal(t, 3, exitCode(cmd.Run()), "exit code")
	if got, want := sortedLines(out.String()),
		sortedLines("main\n[1] main\nout of rank 0\n[1] out of rank 1\nafter the run\n"); !slices.Equal(got, want) {
		t.Errorf("output %q, want %q", got, want)
	}
	if got, want := sortedLines(errs.String()),
		sortedLines("err of rank 0\n[1] err of rank 1\n"); !slices.Equal(got, want) {
		t.Errorf("error output %q, want %q", got, want)
	}
}

// TestJobOutputIsAwaited: what a rank has written comes out, however slowly it is read.
func TestJobOutputIsAwaited(t *testing.T) {
	t.Parallel()
	cmd := program("verbose")
	out, err := cmd.StdoutPipe()
	testrun.OK(t, err)
	testrun.OK(t, cmd.Start())
	time.Sleep(2 * time.Second) // longer than rank 0 waits for what other processes may have open
	text, err := io.ReadAll(out)
	testrun.OK(t, err)
	testrun.Equal(t, 0, exitCode(cmd.Wait()), "exit code")
	if lines := strings.Count(string(text), "\n"); lines != verboseLines || len(text) != 100*verboseLines {
		t.Errorf("%d lines, %d bytes, want %d lines of 100", lines, len(text), verboseLines)
	}
}

func TestJobTwice(t *testing.T) {
	out, err := program("twice").Output()
	if want := "out of rank 0\nout of rank 0\n[1] out of rank 1\n[1] out of rank 1\n[2] out of rank 2\n"; err != nil ||
		!slices.Equal(sortedLines(string(out)), sortedLines(want)) {
		t.Errorf("%v, output %q, want %q", err, out, want)
	}
}

// TestJobInterrupt: an interrupt reaches rank 0, and what it does then ends all ranks.
func TestJobInterrupt(t *testing.T) {
	for _, test := range []struct {
		program string
		want    int
	}{{"onAndOn", 5}, {"sleepy", 6}} {
		t.Run(test.program, func(t *testing.T) { interrupt(t, test.program, test.want) })
	}
}

// interrupt interrupts a program when it has said two lines, and checks how it ends.
func interrupt(t *testing.T, name string, want int) {
	cmd := program(name)
	out, err := cmd.StdoutPipe()
	testrun.OK(t, err)
	testrun.OK(t, cmd.Start())
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if len(said) == 2 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		}
	}
	testrun.Equal(t, want, exitCode(cmd.Wait()), "exit code")
	if len(said) != 3 || !strings.Contains(said[2], "the run was cancelled") {
		t.Errorf("said %q, want the error of a cancelled run at the end", said)
	}
}

// TestJobByHand: a process that was not started by rank 0 says so in one line.
func TestJobByHand(t *testing.T) {
	for _, text := range []string{"1", "1 of 2, 1024 lines", "1 of 2, 1024 lines, 0 bytes at 0", "nonsense"} {
		cmd := program("talk")
		cmd.Env = append(cmd.Env, "OCR_RANK="+text)
		var errs strings.Builder
		cmd.Stderr = &errs
		testrun.Equal(t, 1, exitCode(cmd.Run()), "OCR_RANK=%s: exit code", text)
		if said := errs.String(); strings.Count(said, "\n") != 1 ||
			!strings.Contains(said, "OCR_RANK="+text+" is in the environment, but this process was not started as a rank") {
			t.Errorf("OCR_RANK=%s: said %q", text, said)
		}
	}
}

// TestJobOtherTemplates: a rank with other templates is found before main runs, and the job ends.
func TestJobOtherTemplates(t *testing.T) {
	t.Setenv(strangerVariable, "runtime_test.stranger")
	nop := func(*edt.Worker) edt.Observer { return edt.NopObserver{} }
	// As if of a later build: the others, which have begun at main, do not know it.
	newer := NewObserverKind("runtime_test.newer", func(string) (func(*edt.Worker) edt.Observer, func(Report, error)) {
		return nop, nil
	})
	observe := newer.Observe("", nop)
	_, err := runMain(t, starting(func(*edt.Ctx) { t.Error("main ran") }), Ranks(3), Workers(1), observe)
	var bad *OptionError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, want an OptionError", err)
	}
	testrun.Contains(t, err.Error(), "Ranks(3): rank ",
		"runtime_test.stranger (1 parameters, 2 slots), and on rank 0 missing",
		fmt.Sprint("number ", len(edt.RegisteredTemplates())))
}
