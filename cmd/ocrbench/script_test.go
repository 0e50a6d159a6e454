package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ocr/internal/command"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// TestScripts runs testdata/script. $CPU and $OTHER are the first and the last processor that the process may use.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     scriptCommand("exits CODE PROGRAM ARGS...", 2, cmdExits),
			"oneline":   scriptCommand("oneline FILE LINE", 2, cmdOneLine),
			"interrupt": scriptCommand("interrupt CODE SIGNALS PROGRAM ARGS...", 3, cmdInterrupt),
			"quit":      scriptCommand("quit FILE TEXT PROGRAM ARGS...", 3, cmdQuit),
			"isxml":     scriptCommand("isxml FILE", 1, cmdIsXML),
			"alone":     scriptCommand("alone", 0, cmdAlone),
		},
		Condition: scriptCondition,
		Setup: func(env *testscript.Env) error {
			if mask, err := sys.GetAffinity(); err == nil {
				env.Setenv("CPU", fmt.Sprint(mask[0]))
				env.Setenv("OTHER", fmt.Sprint(mask[len(mask)-1]))
			}
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptCommand returns a command for scripts that has at least least arguments.
func scriptCommand(usage string, least int, run func(*testscript.TestScript, []string)) func(*testscript.TestScript,
	bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least {
			ts.Fatalf("usage: %s", usage)
		}
		run(ts, args)
	}
}

// scriptCondition knows "two-cpus": the process may run on two processors; "tsan" and "cgo": the program has the race
// detector or the C library, which need address space of their own.
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

// cmdExits fails if the exit code of a program differs.
func cmdExits(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdOneLine fails if a file is not that one line.
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

// cmdInterrupt sends a program one interrupt once it has made the file that $READY names; or SIGHUP or SIGTERM, with
// "hup" or "term" for SIGNALS; or, with "again", interrupts until it has ended.
func cmdInterrupt(ts *testscript.TestScript, args []string) {
	p := startProgram(ts, args[2:])
	p.awaitFile(ts, "ready")
	first := map[string]os.Signal{"hup": syscall.SIGHUP, "term": syscall.SIGTERM}[args[1]]
	p.signal(cmp.Or[os.Signal](first, os.Interrupt))
	for args[1] == "again" && !p.endsWithin(1500*time.Millisecond) { // the next signal is not taken for this one
		p.signal(os.Interrupt)
	}
	p.mustExit(ts, args[0])
}

// cmdQuit sends a program SIGQUIT until a text is in a file, and then an interrupt.
func cmdQuit(ts *testscript.TestScript, args []string) {
	p := startProgram(ts, args[2:])
	p.awaitFile(ts, "hears")
	for text := []byte(nil); !bytes.Contains(text, []byte(args[1])); text, _ = os.ReadFile(ts.MkAbs(args[0])) {
		p.signal(syscall.SIGQUIT)
		if p.endsWithin(100 * time.Millisecond) {
			ts.Fatalf("ended: %v; stderr: %s", p.err, ts.ReadFile("stderr.txt"))
		}
	}
	p.signal(os.Interrupt)
	p.mustExit(ts, strconv.Itoa(command.ExitInterrupted))
}

// cmdAlone returns once no process is left that the script has started by interrupt or quit.
func cmdAlone(ts *testscript.TestScript, _ []string) {
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

// signal sends a signal, unless the program has ended.
func (p *program) signal(s os.Signal) { _ = p.cmd.Process.Signal(s) }

func (p *program) endsWithin(d time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(d):
		return false
	}
}

// awaitFile waits until the program has made a file.
func (p *program) awaitFile(ts *testscript.TestScript, name string) {
	for _, err := os.Stat(ts.MkAbs(name)); err != nil; _, err = os.Stat(ts.MkAbs(name)) {
		if p.endsWithin(5 * time.Millisecond) {
			ts.Fatalf("ended before it made the file %s: %v; stderr: %s", name, p.err, ts.ReadFile("stderr.txt"))
		}
	}
}

// mustExit waits for the end of the program, and fails if its exit code differs.
func (p *program) mustExit(ts *testscript.TestScript, want string) {
	<-p.ended
	if got := strconv.Itoa(exitCode(p.err)); got != want {
		ts.Fatalf("exit code %s, want %s; stderr: %s", got, want, ts.ReadFile("stderr.txt"))
	}
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
