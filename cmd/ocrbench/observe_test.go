package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/command"
	"ocr/internal/report"
	"ocr/internal/testbed"
	"ocr/internal/testrun"
	"ocr/observe/stats"
)

// traced is what tests look at in a trace.
type traced struct {
	OtherData struct {
		EDTs    int      `json:"edts"`
		Ending  string   `json:"ending"`
		Dropped []uint64 `json:"dropped-records"`
	} `json:"otherData"`
	TraceEvents []struct {
		Ph, Cat, Name string
		Args          json.RawMessage
	} `json:"traceEvents"`
}

func readTrace(t *testing.T, path string) (f traced) {
	t.Helper()
	if err := json.Unmarshal([]byte(testrun.Read(t, path)), &f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// count returns how many events there are of a phase and a category.
func (f *traced) count(ph, cat string) (n int) {
	for _, e := range f.TraceEvents {
		if e.Ph == ph && e.Cat == cat {
			n++
		}
	}
	return n
}

// TestObserveSynchP2P holds that the three files and figures are of one run each, and
// agree with what is known of the graph.
func TestObserveSynchP2P(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, workers := range []string{"1", "2", "3", "8"} {
		dir := t.TempDir()
		code, out, errs := call(t.Context(), noEnv, "synch_p2p", "-P", "3", "-B", "2", "-W", "4", "-T", "5", "--workers", workers,
			"--samples", "1", "--warmup", "0", "--sample-time", "10us", "--forms", "serial,edt", "--format", "json", "--quiet",
			"--trace", dir+"/trace", "--dot", dir+"/dot", "--stats")
		if code != command.ExitOK || errs != "" {
			t.Fatalf("exit code %d, stderr %q", code, errs)
		}
		// A sweep for each rank, block and timestep, three links, and main, ring, realmain, collect and deliver.
		const edts = 3*4*5 + 3 + 5
		f := readTrace(t, dir+"/trace")
		if n := f.count("X", "edt"); n != edts || f.OtherData.EDTs != edts {
			t.Errorf("%s workers: %d slices of %d EDTs, want %d", workers, n, f.OtherData.EDTs, edts)
		}
		if s, e := f.count("s", "satisfy"), f.count("f", "satisfy"); s != e || s == 0 {
			t.Errorf("%s workers: %d arrows begin, %d end", workers, s, e)
		}
		if n := strings.Count(testrun.Read(t, dir+"/dot"), "fillcolor="); n != edts {
			t.Errorf("%s workers: %d nodes, want %d", workers, n, edts)
		}
		var d struct {
			Stats struct {
				Run string
				stats.Result
			}
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		x := d.Stats
		if !strings.HasPrefix(x.Run, "synch_p2p/edt/") || x.EDTs != edts || x.Span <= 0 || x.Work < x.Span || fmt.Sprint(len(x.Workers)) != workers {
			t.Errorf("%s workers: statistics %+v", workers, x)
		}
	}
}

func TestStatsText(t *testing.T) {
	for _, args := range []string{
		"hello Ada",
		"synch_p2p -T 3 --samples 1 --sample-time 10us",
		"taskbench -steps 4 -width 2 --no-floor",
		"pgas sync --pes 2 --sync p2p --forms direct --baseline none --samples 1 --warmup 0 --sample-time 1us",
	} {
		code, out, errs := call(t.Context(), noEnv, append(strings.Fields(args), "--stats")...)
		if code != command.ExitOK {
			t.Errorf("%s: exit code %d, %s", args, code, errs)
		}
		for _, want := range []string{"work T1 (bodies), us ", "average parallelism T1/Tinf ", "worker ", "template ", "main "} {
			found := 0
			for line := range strings.Lines(out) {
				if strings.HasPrefix(strings.TrimPrefix(line, "# "), want) {
					found++
				}
			}
			if found == 0 {
				t.Errorf("%s: no line begins with %q in\n%s", args, want, out)
			}
		}
	}
}

// TestObserveC2C needs two processors, as the test itself does.
func TestObserveC2C(t *testing.T) {
	if two, _ := scriptCondition("two-cpus"); !two {
		t.Skip("one processor only: a transfer needs two")
	}
	path := filepath.Join(t.TempDir(), "trace")
	code, _, errs := call(t.Context(), noEnv, "c2c", "--test", "dual", "--forms", "edt-chain,polled", "--baseline", "none",
		"--trials", "1", "--stim-len", "200", "--warmup", "10", "--trace", path)
	if code != command.ExitOK {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	if f := readTrace(t, path); f.count("X", "edt") < 200 {
		t.Errorf("%d slices of 200 transfers from EDT to EDT", f.count("X", "edt"))
	}
}

func TestObserveUsageErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"--trace=", `--trace "": must be a file`},
		{"--dot=", `--dot "": must be a file`},
		{"--trace -", "--trace -: must be a file: results go to standard output"},
		{"--trace DIR/no/such", "--trace DIR/no/such: must be a file in a directory that can be written: no such file or directory"},
		{"--dot DIR", "--dot DIR: must be a file, not a directory"},
		{"--trace DIR/a --dot DIR/a", "--dot DIR/a: --trace names the same file"},
		{"--trace DIR/a -o DIR/a", "--trace DIR/a: -o names the same file"},
		{"--dot DIR/a -o DIR/../" + filepath.Base(dir) + "/a", "--dot DIR/a: -o names the same file"},
		{"--trace DIR/a --forms serial,goroutines", "--trace: must be with a form that is a task graph; serial, goroutines is none"},
		{"--stats --forms serial", "--stats: must be with a form that is a task graph; serial is none"},
		{"--stats --format csv", "--stats: must be with --format text or json, it is csv"},
		{"--stats=maybe", "--stats maybe: must be true or false"},
		{"--trace-events 10", "--trace-events 10: must be with --trace FILE"},
		{"--trace-flows=false --dot DIR/a", "--trace-flows false: must be with --trace FILE"},
		{"--dot-limit 10 --stats", "--dot-limit 10: must be with --dot or --graph FILE"},
		{"--dot-limit 10 --trace-events 10 --stats", "--trace-events 10: must be with --trace FILE"}, // always this one
		{"--trace DIR/a --trace-events 0", "--trace-events 0: must be a whole number in 1..67108864"},
		{"--dot DIR/a --dot-limit 1000001", "--dot-limit 1000001: must be a whole number in 1..1000000"},
	} {
		args := strings.Fields(strings.ReplaceAll("synch_p2p "+c.args, "DIR", dir))
		code, out, errs := call(t.Context(), noEnv, args...)
		want := "ocrbench: " + strings.ReplaceAll(c.want, "DIR", dir) + "\n"
		if len(want) > 100 {
			errs = strings.ReplaceAll(errs, report.Plain(dir+"/no/such"), dir+"/no/such")
		}
		if code != command.ExitUsage || out != "" || errs != want {
			t.Errorf("%s: exit code %d, stdout %q, stderr\n%q, want\n%q", c.args, code, out, errs, want)
		}
	}
	for args, want := range map[string]string{
		"pgas --compat --stats": "--stats: cannot be had together with --compat",
		"c2c --forms goroutines --baseline none --same-core --dot " + dir + "/a": "--dot: must be with a form that is a task graph; goroutines is none",
	} {
		code, _, errs := call(t.Context(), noEnv, strings.Fields(args)...)
		if code != command.ExitUsage || errs != "ocrbench: "+want+"\n" {
			t.Errorf("%s: exit code %d, stderr %q, want %q", args, code, errs, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("files are left: %v, %v", entries, err)
	}
}

func TestObserveFromEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	code, _, errs := call(t.Context(), envOf("OCRBENCH_TRACE="+path, "OCRBENCH_TRACE_EVENTS=5"), "hello", "--workers", "1", "A", "B")
	if code != command.ExitOK || !strings.Contains(errs, "records are missing, of workers 0: --trace-events is 5") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	readTrace(t, path)
	code, _, errs = call(t.Context(), envOf("OCRBENCH_TRACE="+path), "synch_p2p", "--forms", "serial")
	if want := "ocrbench: OCRBENCH_TRACE: must be with a form that is a task graph; serial is none\n"; code != command.ExitUsage || errs != want {
		t.Errorf("exit code %d, stderr %q, want %q", code, errs, want)
	}
}

// TestTraceOfAnInterruptedRun: what ran is told.
func TestTraceOfAnInterruptedRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	interruptWatched = func() { cancel(testbed.ErrInterrupted) }
	code, out, errs := call(ctx, noEnv, "test_watched_endless", "--workers", "2", "--trace", dir+"/trace", "--trace-events", "1000", "--dot", dir+"/dot", "--dot-limit", "50", "--stats")
	if code != command.ExitInterrupted || !strings.HasSuffix(errs, "ocrbench: interrupted\n") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	testrun.Contains(t, errs, "ocrbench: warning: trace: the oldest ", "ocrbench: warning: drawing: the first 50 of ")
	f := readTrace(t, dir+"/trace")
	if f.count("X", "edt") < 100 || !strings.Contains(f.OtherData.Ending, "interrupted") || slices.Max(f.OtherData.Dropped) == 0 {
		t.Errorf("%d slices, %+v", f.count("X", "edt"), f.OtherData)
	}
	if text := testrun.Read(t, dir+"/dot"); !strings.Contains(text, "the first 50 of ") {
		t.Errorf("graph:\n%s", text)
	}
	if !strings.Contains(out, "observed until it was interrupted") || !strings.Contains(out, "partial") {
		t.Errorf("stdout:\n%s", out)
	}
}

// watchedRuns counts the runs of the app that follows, and those that are observed.
var watchedRuns struct{ all, observed int }

// interruptWatched interrupts the app that never ends, after some thousand EDTs.
var interruptWatched func()

var endless *edt.Template

func init() {
	endless = edt.NewTemplate("test.endless", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(0)
		if n == 5000 {
			interruptWatched()
		}
		c.NewEDT(endless, edt.Params(n+1))
		return guid.Null
	})
	apps = append(apps,
		testGraphForm("test_watched_endless", func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(endless, edt.Params(0))
			return guid.Null
		}),
		testGraphForm("test_watched", func(c *edt.Ctx, _ edt.Args) guid.GUID { return guid.Null }),
		testGraphForm("test_watched_panic", func(c *edt.Ctx, _ edt.Args) guid.GUID { panic("in a body") }),
		testGraphForm("test_watched_stuck", func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(waiting, nil)
			return guid.Null
		}))
}

// TestSamplesAreNotObserved holds that runs are observed beside those that are measured.
func TestSamplesAreNotObserved(t *testing.T) {
	watchedRuns.all, watchedRuns.observed = 0, 0
	code, _, errs := call(t.Context(), noEnv, "test_watched", "--samples", "3", "--warmup", "1", "--stats")
	if code != command.ExitOK || watchedRuns.all != 2+3+1 || watchedRuns.observed != 2 {
		t.Errorf("exit code %d, %s; %+v", code, errs, watchedRuns)
	}
	watchedRuns.all, watchedRuns.observed = 0, 0
	call(t.Context(), noEnv, "test_watched", "--samples", "3", "--warmup", "1")
	if watchedRuns.all != 3+1 || watchedRuns.observed != 0 {
		t.Errorf("without --stats: %+v", watchedRuns)
	}
}

// TestTraceOfAFailedRun: it is written all the same, and no results are.
func TestTraceOfAFailedRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, ending := range map[string]string{"test_watched_panic": "in a body", "test_watched_stuck": "test.waiting"} {
		dir := t.TempDir()
		code, out, errs := call(t.Context(), noEnv, name, "--trace", dir+"/trace", "--dot", dir+"/dot", "--stats")
		if code != command.ExitFailed || out != "" || !strings.Contains(errs, ending) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", name, code, out, errs)
		}
		f := readTrace(t, dir+"/trace")
		if f.count("X", "edt") != 1 || !strings.Contains(f.OtherData.Ending, ending) {
			t.Errorf("%s: %+v", name, f)
		}
		never := strings.Contains(testrun.Read(t, dir+"/dot"), "never ran")
		if never != (name == "test_watched_stuck") {
			t.Errorf("%s: an EDT never ran: %v", name, never)
		}
	}
}

// TestObserveASchedule holds that pretended workers are observed as well.
func TestObserveASchedule(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	code, _, errs := call(t.Context(), noEnv, "synch_p2p", "-T", "3", "--samples", "1", "--forms", "edt", "--schedule", "random:7", "--trace", path)
	if code != command.ExitOK {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	if f := readTrace(t, path); f.count("X", "edt") != f.OtherData.EDTs || f.OtherData.EDTs < 10 {
		t.Errorf("%d slices, %d EDTs", f.count("X", "edt"), f.OtherData.EDTs)
	}
}

// TestWatchWriteErrors: a file that cannot be written in the end fails the command.
func TestWatchWriteErrors(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("this system has no device that is always full: %v", err)
	}
	for _, flag := range []string{"--trace", "--dot", "--graph"} {
		code, _, errs := call(t.Context(), noEnv, "hello", flag, "/dev/full")
		if code != command.ExitFailed || !strings.Contains(errs, "no space left") {
			t.Errorf("%s: exit code %d, stderr %q", flag, code, errs)
		}
	}
}
