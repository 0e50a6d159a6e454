package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/command"
	"ocr/internal/testbed"
	"ocr/internal/testrun"
	"ocr/runtime"
)

func init() {
	apps = append(apps,
		// held keeps an EDT on its worker until heldLongEnough, and one waits for its end.
		testGraph("test_held", func(c *edt.Ctx, _ edt.Args) guid.GUID {
			holder := c.NewTemplate("holder", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
				for !heldLongEnough() {
					time.Sleep(time.Millisecond)
				}
				return guid.Null
			})
			first, out := c.Spawn(holder, &edt.Spec{Output: true})
			c.NewEDT(waiting, nil, edt.From(out, 0))
			c.AddDependence(guid.Null, first, 0, 0)
			return guid.Null
		}),
		// faulty exposes a block before it releases it, and leaves two behind.
		testGraph("test_faulty", func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewBlock(8)
			e := c.NewEvent(edt.Once)
			c.NewEDT(waiting, nil, edt.From(e, 0))
			late := c.NewTemplate("late", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				b, bytes := c.NewBlock(8)
				c.Satisfy(e, b)
				bytes[0] = 1
				return guid.Null
			})
			c.NewEDT(late, nil)
			return guid.Null
		}),
		// noted takes a label three times.
		testGraph("test_noted", func(c *edt.Ctx, in edt.Args) guid.GUID {
			r := c.NewRange(1, guid.KindEvent)
			for range 3 {
				_ = c.NewLabelledEvent(c.Label(r, 0), edt.Sticky)
			}
			c.DestroyEvent(c.Label(r, 0))
			c.DestroyRange(r)
			return guid.Null
		}))
}

var heldLongEnough func() bool

// lockedBuffer is a standard error that more than one goroutine may write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestWatchdogTellsAndDraws(t *testing.T) {
	defer goleak.VerifyNone(t)
	dump := filepath.Join(t.TempDir(), "dump")
	var out, errs lockedBuffer
	args := []string{"ocrbench", "test_held", "--workers", "2", "--watchdog", "100ms", "--dump", dump}
	heldLongEnough = func() bool {
		drawn, _ := os.ReadFile(dump)
		return strings.Contains(errs.String(), " of template holder, number ") && strings.Contains(string(drawn), "test.waiting")
	}
	code := ocrbench().NewSession(args, command.IO{In: strings.NewReader(""), Out: &out, Err: &errs}, noEnv).Run(t.Context())
	if code != command.ExitOK {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	testrun.Contains(t, errs.String(),
		"ocrbench: no EDT has begun for ", "worker 0: ", "worker 1: ", " of template holder, number ", "for at least ",
		"template test.waiting: 1 waiting, 0 acquiring, 0 ready, 0 running", "it is the output of EDT ", " of template holder, which runs")
	if drawn := testrun.Read(t, dump); !strings.HasPrefix(drawn, "no EDT has begun for ") || !strings.Contains(drawn, "test.waiting") {
		t.Errorf("drawn: %s", drawn)
	}
}

// Without --watchdog the first stall of all runs is told, shortly.
func TestStallIsToldUnasked(t *testing.T) {
	before := runtime.DefaultWatch
	runtime.DefaultWatch = runtime.Watch{Still: 10 * time.Millisecond}
	defer func() { runtime.DefaultWatch = before }()
	var out, errs lockedBuffer
	heldLongEnough = func() bool { return strings.Contains(errs.String(), " of template holder, number ") }
	code := ocrbench().NewSession([]string{"ocrbench", "test_held", "--workers", "2"}, command.IO{In: strings.NewReader(""), Out: &out, Err: &errs}, noEnv).Run(t.Context())
	if code != command.ExitOK {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if n := strings.Count(errs.String(), "ocrbench: no EDT has begun for "); n != 1 {
		t.Errorf("the stall was told %d times in %s", n, errs.String())
	}
}

func TestInspectUsage(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"hello --watchdog 0s":                            "--watchdog 0s: must be a duration in 1ms..24h0m0s",
		"hello --watchdog soon":                          "--watchdog soon: must be a duration in 1ms..24h0m0s",
		"hello --watchdog 1s --schedule fifo":            "--watchdog: cannot be had together with --schedule",
		"hello --dump=":                                  `--dump "": must be a file`,
		"hello --dump " + dir:                            "--dump " + dir + ": must be a file, not a directory",
		"hello --dump -":                                 "--dump -: must be a file: results go to standard output",
		"synch_p2p --dump " + dir + "/a -o" + dir + "/a": "--dump " + dir + "/a: -o names the same file",
		"hello --check --schedule fifo":                  "--check: cannot be had together with --schedule",
		"metg --check":                                   "--check: metg cannot be checked: it measures how small",
		"overhead --check":                               "--check: overhead cannot be checked: it measures what",
		"synch_p2p --check --forms serial":               "--check: must be with a form that is a task graph; serial is none",
		"c2c --check --same-core --forms goroutines --baseline none": "--check: must be with a form that is a task graph; goroutines is none",
		"hello --check=maybe": "--check maybe: must be true or false",
	} {
		code, out, errs := call(t.Context(), noEnv, strings.Fields(args)...)
		if code != command.ExitUsage || out != "" || !strings.HasPrefix(errs, "ocrbench: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %q", args, code, out, errs, want)
		}
	}
}

func TestCheckTellsFaults(t *testing.T) {
	for _, env := range []bool{false, true} {
		lookup, args := noEnv, []string{"test_faulty", "--workers", "1", "--check"}
		if env {
			lookup, args = envOf("OCRBENCH_CHECK=true"), args[:3]
		}
		code, out, errs := call(t.Context(), lookup, args...)
		if code != command.ExitFailed || out != "" {
			t.Errorf("exit code %d, stdout %q", code, out)
		}
		testrun.Contains(t, errs,
			"ocrbench: fault: block exposed before its release: EDT ", " of template late (inspect_test.go:",
			"ocrbench: fault: never destroyed (inspect_test.go:", "\n      1 data block from inspect_test.go:",
			"\n      what to do: destroy it in an EDT", "\nocrbench: check: 4 faults, 0 notes in 1 run\n")
	}
	if code, _, errs := call(t.Context(), noEnv, "test_faulty", "--workers", "1"); code != command.ExitOK {
		t.Errorf("without --check: exit code %d, %s", code, errs)
	}
}

func TestCheckTellsNotesShortly(t *testing.T) {
	code, _, errs := call(t.Context(), noEnv, "test_noted", "--check")
	if code != command.ExitOK || strings.Count(errs, "\n") != 3 || !strings.HasPrefix(errs, "ocrbench: note: label created twice: EDT of template main, at inspect_test.go:") ||
		!strings.Contains(errs, ", event, seen 2 times\n  what to do: nothing if any of them may create it; all but the first get ErrExists\nocrbench: check: 0 faults, 1 note in 1 run\n") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
}

// The apps are clean in check mode as they are by default, and say that it was on.
func TestCheckedAppsAreClean(t *testing.T) {
	for _, args := range []string{"hello Ada", "synch_p2p -T 5 --format json", "taskbench --format json", "c2c --same-core --test flow --lengths 8 --format json", "pgas putput --sizes 8 --format json --pes 2"} {
		code, out, errs := call(t.Context(), noEnv, append(strings.Fields(args), "--check")...)
		if code != command.ExitOK || !strings.Contains(errs, "ocrbench: check: 0 faults, ") {
			t.Errorf("%s: exit code %d, %s", args, code, errs)
		}
		if !strings.Contains(args, "json") {
			continue
		}
		if d := decode(t, out); d.Config["check"] != true || !strings.Contains(strings.Join(d.Warnings, "\n"), testbed.TimesMeanNothing) {
			t.Errorf("%s: configuration %v, warnings %q", args, d.Config["check"], d.Warnings)
		}
	}
}

// What the user has chosen stays as it is.
func TestCheckEasesOnlyWhatWasNotChosen(t *testing.T) {
	_, out, errs := call(t.Context(), envOf("OCRBENCH_WARMUP=1"), "synch_p2p", "--check", "--samples", "2", "--forms", "edt,serial", "-T", "2", "--format", "json")
	if c := decode(t, out).Config; c["samples"] != 2.0 || c["warmup"] != 1.0 || c["forms"] != "edt,serial" || c["sample-time"] != "1µs" {
		t.Errorf("%v, %s", c, errs)
	}
}

// cmdQuit runs "quit FILE TEXT PROGRAM ARGS...", asks it by SIGQUIT until TEXT is in FILE,
// and interrupts it. Output goes to stdout.txt and stderr.txt.
func cmdQuit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: quit FILE TEXT PROGRAM ARGS...")
	}
	p := startProgram(ts, args[2:])
	p.awaitFile(ts, "hears")
	for {
		if text, _ := os.ReadFile(ts.MkAbs(args[0])); strings.Contains(string(text), args[1]) {
			break
		}
		p.signal(syscall.SIGQUIT)
		select {
		case <-p.ended:
			ts.Fatalf("ended: %v; stderr: %s", p.err, ts.ReadFile("stderr.txt"))
		case <-time.After(100 * time.Millisecond):
		}
	}
	p.signal(os.Interrupt)
	<-p.ended
	if got := exitCode(p.err); got != command.ExitInterrupted {
		ts.Fatalf("exit code %d, want %d; stderr: %s", got, command.ExitInterrupted, ts.ReadFile("stderr.txt"))
	}
}
