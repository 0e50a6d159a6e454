package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// TestScripts runs testdata/script. $CPU and $OTHER are the first and the last processor that the process may use.
// Condition two-cpus: the process may use two processors; tsan: the program has the race detector, which needs address
// space of its own.
func TestScripts(t *testing.T) {
	mask := allowedCPUs(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   scriptCommand("exits CODE PROGRAM ARGS...", 2, cmdExits),
			"oneline": scriptCommand("oneline FILE LINE", 2, cmdOneLine),
			"signal":  scriptCommand("signal CODE SIGNAL[:TEXT],... PROGRAM ARGS...", 3, cmdSignal),
			"isxml":   scriptCommand("isxml FILE", 1, cmdIsXML),
		},
		Condition: func(name string) (bool, error) {
			known := map[string]bool{"tsan": testrun.Race(), "two-cpus": len(mask) > 1}
			if _, is := known[name]; !is {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return known[name], nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("CPU", fmt.Sprint(mask[0]))
			env.Setenv("OTHER", fmt.Sprint(mask[len(mask)-1]))
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// allowedCPUs returns the processors that this process may use.
func allowedCPUs(t *testing.T) []int {
	t.Helper()
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	return mask
}

func twoCPUs(t *testing.T) {
	t.Helper()
	if mask := allowedCPUs(t); len(mask) < 2 {
		t.Skipf("one processor only (%v): a transfer needs two", mask)
	}
}

// scriptCommand returns a command for scripts. It takes at least as many arguments as least says.
func scriptCommand(usage string, least int, run func(*testscript.TestScript, []string)) func(*testscript.TestScript,
	bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least {
			ts.Fatalf("usage: %s", usage)
		}
		run(ts, args)
	}
}

// cmdExits fails unless a program ends with the exit code given.
func cmdExits(ts *testscript.TestScript, args []string) {
	mustExit(ts, args[0], ts.Exec(args[1], args[2:]...))
}

func mustExit(ts *testscript.TestScript, want string, err error) {
	got := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		got = -2
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// cmdOneLine fails unless a file has the line given and nothing else.
func cmdOneLine(ts *testscript.TestScript, args []string) {
	if got := ts.ReadFile(args[0]); got != args[1]+"\n" {
		ts.Fatalf("%s is %q, want the line %q", args[0], got, args[1])
	}
}

// cmdIsXML fails if a file is not well-formed XML.
func cmdIsXML(ts *testscript.TestScript, args []string) {
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

var signals = map[string]os.Signal{
	"int": os.Interrupt, "term": syscall.SIGTERM, "hup": syscall.SIGHUP, "quit": syscall.SIGQUIT,
}

// cmdSignal runs a program, and writes its output to stdout.txt and stderr.txt. It sends the first signal when the
// program has made the file that $READY names, and each later one when the text given with the signal before is on
// standard error. It fails unless the program ends with the exit code given.
func cmdSignal(ts *testscript.TestScript, args []string) {
	out, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	defer out.Close()
	errs, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	defer errs.Close()
	path := filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[2]) // testscript puts the test's programs first
	ready := ts.MkAbs("ready")
	_ = os.Remove(ready)
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, errs
	cmd.Env = append(os.Environ(), "READY="+ready)
	ts.Check(cmd.Start())
	defer cmd.Process.Kill()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	await := func(what, file, text string) {
		for said, err := os.ReadFile(file); err != nil || !bytes.Contains(said, []byte(text)); said, err = os.ReadFile(file) {
			select {
			case err := <-ended:
				ts.Fatalf("ended before %s: %v; stderr: %s", what, err, ts.ReadFile("stderr.txt"))
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	await("it was ready", ready, "")
	for one := range strings.SplitSeq(args[1], ",") {
		name, text, _ := strings.Cut(one, ":")
		_ = cmd.Process.Signal(signals[name])
		if text != "" {
			await("it said "+text, errs.Name(), text)
		}
	}
	mustExit(ts, args[0], <-ended)
}
