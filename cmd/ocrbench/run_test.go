package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/perf/benchfmt"

	"ocr/internal/command"
	"ocr/internal/cpulist"
	"ocr/internal/sys"
	"ocr/internal/testrun"
)

// TestUsageErrors holds that bad input is one line that names the flag, the value
// and what is allowed, and exit code 2.
func TestUsageErrors(t *testing.T) {
	defer goleak.VerifyNone(t)
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	allowed := cpulist.Format(mask)
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "no command given: must be one of c2c, "},
		{"nosuch", "unknown command nosuch: must be one of "},
		{"nosuch --flag", "unknown flag --flag: see ocrbench --help"},
		{"synch_p2p extra", "unexpected argument extra: this command takes flags only"},
		{"synch_p2p --nosuch", "unknown flag --nosuch: see ocrbench synch_p2p --help"},
		{"synch_p2p -Zx", "unknown flag -Z in -Zx: see ocrbench synch_p2p --help"},
		{"synch_p2p -P", "-P: needs a value: strips"},
		{"synch_p2p -P 0", "-P 0: must be a whole number in 1..1048576"},
		{"synch_p2p -P -1", "-P -1: must be a whole number in 1..1048576"},
		{"synch_p2p --strips=0", "--strips 0: must be a whole number in 1..1048576"},
		{"synch_p2p -P 1048577", "-P 1048577: must be a whole number in 1..1048576"},
		{"synch_p2p -K x", "-K x: must be a whole number in 1..2147483647"},
		{"synch_p2p -T 99999999999999999999", "-T 99999999999999999999: must be a whole number in 1..2147483647"},
		{"synch_p2p -P 1e3", "-P 1e3: must be a whole number in 1..1048576"},
		{"synch_p2p -B 1.5", "-B 1.5: must be a whole number in 1..2147483647"},
		{"synch_p2p --columns 3 -P 10",
			"--columns 3 (columns in all, P or more): must be a whole number in 10..2147483647"},
		{"synch_p2p --columns 0", "--columns 0: must be a whole number in 1..2147483647"},
		{"synch_p2p -K 2000000000", "-K 2000000000 (columns per strip): the blocks need "},
		{"synch_p2p -T 2000000000 -B 1000000 -P 1 -K 1", "-T 2000000000 (timesteps): the corner T*(N+M-2) would reach 2^53"},
		{"synch_p2p --place here", "--place here: must be one of block, cyclic, none"},
		{"synch_p2p --events once", "--events once: must be one of sticky, channel, both"},
		{"synch_p2p --forms edt,mpi",
			"--forms edt,mpi: part mpi: must be a comma-separated list of edt, edt-again, edt-channel, " +
				"edt-channel-again, serial, goroutines"},
		{"synch_p2p -K 7 --columns 53", "-K 7: cannot be had together with --columns 53, which is in place of P*K"},
		{"synch_p2p --forms edt,edt", "--forms edt,edt: edt is there twice: must be there once"},
		{"synch_p2p --forms edt,goroutine",
			"--forms edt,goroutine: part goroutine: did you mean goroutines? must be a comma-separated list of edt, "},
		{"nqueens --forms goroutines",
			"--forms goroutines: did you mean goroutines-naive or goroutines-pool? must be a comma-separated list of "},
		{"synch_p2p --forms serial --place cyclic", "--place cyclic: must be with a form that is a task graph"},
		{"synch_p2p --sample-time 10",
			"--sample-time 10: has no unit, such as ms or s: must be a duration in 1µs..1m0s"},
		{"synch_p2p --cpus 0,0", "--cpus 0,0: part 0: processor 0 is there twice: must be there once"},
		{"synch_p2p --log-format json", "--log-format json: must be with --log LEVEL"},
		{"synch_p2p --output=", `--output "": must be a file, or - for standard output`},
		{"topo --output=", `--output "": must be a file, or - for standard output`},
		{"cholesk", "unknown command cholesk: did you mean cholesky?"},
		{"overhead --workers 1,2,1", "--workers 1,2,1: 1 is there twice: must be there once"},
		{"overhead chian", "unknown row chian: did you mean chain?"},
		{"overhead --list --format json",
			"--format: cannot be had together with --list, which lists names on standard output"},
		{"synch_p2p --clone new --forms edt-again",
			"--clone new: cannot be had together with a form whose name says that, as edt-again: " +
				"must be with form edt or edt-channel"},
		{"synch_p2p --clone both --forms serial", "--clone both: must be with a form that is a task graph"},
		{"synch_p2p --events both --forms edt-channel,serial", "--events both: must be with form edt or edt-again"},
		{"synch_p2p --check-grid --no-verify", "--check-grid: cannot be had together with --no-verify"},
		{"synch_p2p --workers 0", "--workers 0: must be a whole number in 1..1024"},
		{"synch_p2p --workers 4097", "--workers 4097: must be a whole number in 1..1024"},
		{"synch_p2p --ranks 0", "--ranks 0: must be a whole number in 1..256"},
		{"synch_p2p --ranks=-1", "--ranks -1: must be a whole number in 1..256"},
		{"taskbench -ranks 300", "-ranks 300: must be a whole number in 1..256"},
		{"nqueens --ranks two", "--ranks two: must be a whole number in 1..256"},
		{"hello --ranks", "--ranks: needs a value: ranks: processes that a graph runs over"},
		{"hello --ranks 256 --workers 1024", "--workers 1024: 256 ranks have 262144 of them: must be at most 127"},
		{"synch_p2p --ranks 2 --schedule lifo", "--schedule: cannot be had together with --ranks 2"},
		{"synch_p2p --cpus 0-", "--cpus 0-: must be a Linux list of processors, such as 0-3,8"},
		{"synch_p2p --cpus 8190", "--cpus 8190: the process may not use 8190: must be within " + allowed},
		{"synch_p2p --cpus=", `--cpus "": must be a Linux list of processors, such as 0-3,8`},
		{"synch_p2p --bind near", "--bind near: must be one of compact, scatter, none"},
		{"synch_p2p --samples 0", "--samples 0: must be a whole number in 1..1000000"},
		{"synch_p2p --warmup -1", "--warmup -1: must be a whole number in 0..1000000"},
		{"synch_p2p --sample-time 0s", "--sample-time 0s: must be a duration in 1µs..1m0s"},
		{"synch_p2p --seed -1", "--seed -1: must be a whole number in 0..18446744073709551615"},
		{"synch_p2p --quiet=2", "--quiet 2: must be true or false"},
		{"synch_p2p --format xml", "--format xml: must be one of text, go, json, csv"},
		{"synch_p2p --format=", `--format "": must be one of text, go, json, csv`},
		{"synch_p2p -o /", "-o /: must be a file, not a directory"},
		{"synch_p2p --output /nonexistent/x", "--output /nonexistent/x: must be a file in a directory that can be written: no such file or directory"},
		{"nqueens -n x", "-n x: must be a whole number"},
		{"nqueens -n 0", "-n 0: must be 1..18"},
		{"nqueens --n=19", "--n 19: must be 1..18"},
		{"nqueens --cutoff 14", "--cutoff 14: must be 0..13"},
		{"nqueens --forms edt,mpi",
			"--forms edt,mpi: part mpi: must be a comma-separated list of edt, serial, goroutines-naive, " +
				"goroutines-pool"},
		{"nqueens --check --forms serial", "--check: must be with a form that is a task graph; serial is none"},
		{"topo --format csv", "--format csv: must be one of text, json"},
		{"topo here", "unexpected argument here: this command takes flags only"},
		{"list all", "unexpected argument all: this command takes flags only"},
		{"hello --workers two", "--workers two: must be a whole number in 1..1024"},
		{"help nosuch", "help: unknown command nosuch: must be one of "},
		{"completion", "completion: no shell given: must be one of bash, fish, powershell, zsh"},
		{"completion tcsh", "completion tcsh: must be one of bash, fish, powershell, zsh"},
	} {
		t.Run(c.args, func(t *testing.T) { wantUsage(t, noEnv, strings.Fields(c.args), c.want) })
	}
}

// TestUsageErrorsStayOnTheLine feeds what would break a line or a terminal.
func TestUsageErrorsStayOnTheLine(t *testing.T) {
	for given, shown := range map[string]string{
		"1\n2":                   `"1\n2"`,
		"\x1b[2J":                `"\x1b[2J"`,
		"a b":                    `"a b"`,
		strings.Repeat("9", 500): strings.Repeat("9", 60) + "...",
	} {
		wantUsage(t, noEnv, []string{"synch_p2p", "--workers", given}, "--workers "+shown+": must be ")
		wantUsage(t, noEnv, []string{"synch_p2p", "-P", given}, "-P "+shown+": must be ")
		wantUsage(t, noEnv, []string{given}, "unknown command "+shown+": must be ")
	}
}

func TestBadEnvironment(t *testing.T) {
	for pair, want := range map[string]string{
		"OCRBENCH_WORKERS=x":      "OCRBENCH_WORKERS x: must be a whole number in 1..1024",
		"OCRBENCH_RANKS=300":      "OCRBENCH_RANKS 300: must be a whole number in 1..256",
		"OCRBENCH_CPUS=8190":      "OCRBENCH_CPUS 8190: the process may not use 8190: must be within ",
		"OCRBENCH_BIND=near":      "OCRBENCH_BIND near: must be one of compact, scatter, none",
		"OCRBENCH_SAMPLES=0":      "OCRBENCH_SAMPLES 0: must be a whole number in 1..1000000",
		"OCRBENCH_WARMUP=-1":      "OCRBENCH_WARMUP -1: must be a whole number in 0..1000000",
		"OCRBENCH_SAMPLE_TIME=1":  "OCRBENCH_SAMPLE_TIME 1: has no unit, such as ms or s: must be a duration in 1µs..1m0s",
		"OCRBENCH_NO_VERIFY=no":   "OCRBENCH_NO_VERIFY no: must be true or false",
		"OCRBENCH_SEED=1.5":       "OCRBENCH_SEED 1.5: must be a whole number in 0..",
		"OCRBENCH_FORMAT=yaml":    "OCRBENCH_FORMAT yaml: must be one of text, go, json, csv",
		"OCRBENCH_OUTPUT=/":       "OCRBENCH_OUTPUT /: must be a file, not a directory",
		"OCRBENCH_QUIET=so la la": `OCRBENCH_QUIET "so la la": must be true or false`,
	} {
		t.Run(pair, func(t *testing.T) { wantUsage(t, envOf(pair), []string{"synch_p2p"}, want) })
	}
}

// TestOneRank holds that a command which does not run over ranks says which do, whatever the number.
func TestOneRank(t *testing.T) {
	for _, cmd := range strings.Fields("overhead metg new compare convert report topo list version completion") {
		wantUsage(t, noEnv, []string{cmd, "--ranks", "2"}, "--ranks 2: "+cmd+" runs in one process; commands that run over ranks: c2c, cg, cholesky, fft, hello, nqueens, pgas, smithwaterman, stencil2d, synch_p2p, taskbench, ")
	}
}

func wantUsage(t *testing.T, env func(string) (string, bool), args []string, want string) {
	t.Helper()
	code, out, errs := call(t.Context(), env, args...)
	if code != command.ExitUsage || out != "" {
		t.Errorf("exit code %d and stdout %q, want 2 and nothing", code, out)
	}
	if !strings.HasPrefix(errs, "ocrbench: "+want) || strings.Count(errs, "\n") != 1 || !strings.HasSuffix(errs, "\n") {
		t.Errorf("stderr = %q, want one line that begins %q", errs, "ocrbench: "+want)
	}
}

// document is what tests read of the JSON layout.
type document struct {
	Schema, App       string
	Argv              []string
	Config            map[string]any
	Verified, Partial bool
	Warnings          []string
	Machine           struct {
		Mask      string
		Placement []int
	}
	Results []struct {
		Name    string
		Metrics map[string]struct {
			Median, Min float64
			N           int
			Samples     []float64
		}
	}
	Counters map[string]uint64
}

func decode(t *testing.T, text string) document {
	t.Helper()
	var d document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return d
}

func TestEnvironmentSetsDefaults(t *testing.T) {
	env := envOf("OCRBENCH_SAMPLES=3", "OCRBENCH_FORMAT=json", "OCRBENCH_WARMUP=0", "OCRBENCH_SAMPLE_TIME=1us", "OCRBENCH_CPUS=")
	code, out, errs := call(t.Context(), env, "synch_p2p", "--forms", "serial", "--samples", "2")
	if code != command.ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	d := decode(t, out)
	if n := d.Results[0].Metrics["ns/block"].N; n != 2 {
		t.Errorf("%d samples: the flag must beat the environment, want 2", n)
	}
	want := "OCRBENCH_FORMAT=json OCRBENCH_SAMPLE_TIME=1us OCRBENCH_WARMUP=0"
	if d.Config["env"] != want {
		t.Errorf("recorded env = %q, want those in force: %q", d.Config["env"], want)
	}
	if d.Config["warmup"] != 0.0 || d.Config["samples"] != 2.0 || d.Config["sample-time"] != "1µs" {
		t.Errorf("resolved configuration = %v", d.Config)
	}
}

func TestSynchP2PDocument(t *testing.T) {
	defer goleak.VerifyNone(t)
	code, out, errs := call(t.Context(), noEnv, "synch_p2p", "-P", "3", "-K", "2", "-B", "2", "-W", "4", "-T", "5",
		"--events", "both", "--workers", "1", "--samples", "2", "--sample-time", "10us", "--check-grid", "--format", "json")
	if code != command.ExitOK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	d := decode(t, out)
	if d.Schema != "ocrbench/1" || d.App != "synch_p2p" || !d.Verified || d.Partial {
		t.Errorf("schema, app, verified, partial = %s, %s, %v, %v", d.Schema, d.App, d.Verified, d.Partial)
	}
	var names []string
	for _, r := range d.Results {
		names = append(names, r.Name)
		block, step := r.Metrics["ns/block"], r.Metrics["us/timestep"]
		if strings.HasPrefix(r.Name, "synch_p2p/edt") {
			block = r.Metrics["ns/edt"]
		}
		if want := block.Samples[0] * 3 * 4 / 1e3; math.Abs(step.Samples[0]/want-1) > 1e-9 {
			t.Errorf("%s: %v us/timestep, want P*W blocks of it: %v", r.Name, step.Samples[0], want)
		}
		if want := 2 * 5 * 8 / step.Samples[0]; math.Abs(r.Metrics["Mflop/s"].Samples[0]/want-1) > 1e-9 {
			t.Errorf("%s: %v Mflop/s, want 2*(M-1)*(N-1)/time: %v", r.Name, r.Metrics["Mflop/s"].Samples[0], want)
		}
		if step.N != 2 || step.Min <= 0 {
			t.Errorf("%s: %+v", r.Name, step)
		}
	}
	shape := "/P=3/K=2/B=2/W=4/T=5/workers=1"
	testrun.Same(t, []string{
		"synch_p2p/edt" + shape, "synch_p2p/edt-channel" + shape, "synch_p2p/edt-again" + shape,
		"synch_p2p/edt-channel-again" + shape,
		"synch_p2p/serial" + shape, "synch_p2p/goroutines" + shape,
	}, names, "results")
	for key, want := range map[string]any{"P": 3.0, "K": 2.0, "B": 2.0, "W": 4.0, "T": 5.0, "columns": 6.0, "rows": 9.0, "workers": 1.0, "check-grid": true} {
		if d.Config[key] != want {
			t.Errorf("configuration %s = %v, want %v", key, d.Config[key], want)
		}
	}
	for _, word := range []string{
		"edt: an EDT creates the next of its strip (clones itself), as in the seed; the counters are of this form",
		"edt-again: an EDT goes on",
	} {
		if !strings.Contains(strings.Join(d.Warnings, "\n"), word) {
			t.Errorf("no word of what a form is, %q: %q", word, d.Warnings)
		}
	}
	// The closed forms of edt: (P-1)*W*T+T satisfies, each with a sticky event of
	// its own, and one of the outcome's event; P more events, and two output events.
	if n, created := d.Counters["event.satisfied"], d.Counters["event.created"]; n != 45+1 || created != 3+45+3 {
		t.Errorf("event.satisfied, event.created = %d, %d, want 46, 51", n, created)
	}
	if len(d.Machine.Placement) != 1 {
		t.Errorf("placement = %v, want one worker's", d.Machine.Placement)
	}
	if !strings.Contains(strings.Join(d.Warnings, "\n"), "rows grouped B=2: PRK's rated figure uses B=1") {
		t.Errorf("grouping is not told: %q", d.Warnings)
	}
}

// TestSynchP2PChannelEvents holds that edt-channel makes an event for each link.
func TestSynchP2PChannelEvents(t *testing.T) {
	_, out, _ := call(t.Context(), noEnv, "synch_p2p", "-P", "3", "-T", "5", "--forms", "edt-channel", "--samples", "1", "--format", "json")
	if created := decode(t, out).Counters["event.created"]; created != 3+3 {
		t.Errorf("event.created = %d, want a channel for each of 3 links and three output events", created)
	}
}

// TestSynchP2PGoFormat holds that benchfmt reads a real run.
func TestSynchP2PGoFormat(t *testing.T) {
	code, out, errs := call(t.Context(), noEnv, "synch_p2p", "--forms", "serial,goroutines", "--samples", "2", "--sample-time", "10us", "--format", "go")
	if code != command.ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	lines := 0
	r := benchfmt.NewReader(strings.NewReader(out), "out")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			lines++
			if v, ok := rec.Value("sec/block"); !ok || v <= 0 {
				t.Errorf("%s: sec/block = %v, %v", rec.Name, v, ok)
			}
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if lines != 4 {
		t.Errorf("%d benchmark lines, want 4", lines)
	}
}

func TestTooManyWorkersWarns(t *testing.T) {
	args := []string{"synch_p2p", "-T", "3", "--forms", "edt", "--workers", "33", "--cpus", firstCPU(t), "--samples", "1", "--warmup", "0", "--sample-time", "1us"}
	code, out, errs := call(t.Context(), noEnv, args...)
	if code != command.ExitOK || !strings.Contains(errs, "33 workers share 1 processors") || !strings.Contains(out, "33 workers share 1 processor") {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", code, errs, out)
	}
	_, _, errs = call(t.Context(), noEnv, append(args, "--quiet")...)
	if errs != "" {
		t.Errorf("stderr with --quiet = %q", errs)
	}
}

func TestNoVerify(t *testing.T) {
	_, out, _ := call(t.Context(), noEnv, "synch_p2p", "--forms", "serial", "--samples", "1", "--warmup", "0", "--sample-time", "1us", "--no-verify", "--format", "json")
	if d := decode(t, out); d.Verified || d.Config["verify"] != false {
		t.Errorf("verified = %v, configuration %v", d.Verified, d.Config)
	}
}

func TestInterruptedRunIsPartial(t *testing.T) {
	defer goleak.VerifyNone(t)
	code, out, errs := callInterrupted(t, thirdSample, "synch_p2p", "--samples", "1000000", "--sample-time", "1us", "--format", "json")
	if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" {
		t.Errorf("exit code %d, stderr %q; want 130, interrupted", code, errs)
	}
	if d := decode(t, out); !d.Partial || len(d.Results) == 0 || d.Results[0].Metrics["ns/block"].N+d.Results[0].Metrics["ns/edt"].N < 2 {
		t.Errorf("partial %v, results %v; want those so far, marked", d.Partial, d.Results)
	}
}

// TestInterruptEndsALongGraph holds that one long run is not waited for: it takes hours.
func TestInterruptEndsALongGraph(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, form := range []string{"edt", "serial", "goroutines"} {
		code, out, _ := callInterruptedInside(t, "synch_p2p", "-T", "2000000000", "--forms", form)
		if code != command.ExitInterrupted {
			t.Errorf("%s: exit code %d", form, code)
		}
		if !strings.Contains(out, "partial") || !strings.Contains(out, "no sample was completed") {
			t.Errorf("%s: stdout:\n%s", form, out)
		}
	}
}

// TestEveryCommandIsExplained holds that help works everywhere and names every
// environment twin.
func TestEveryCommandIsExplained(t *testing.T) {
	commands := []string{"", "new", "topo", "list", "compare", "version", "completion", "help"}
	for _, a := range ocrbench().Commands {
		commands = append(commands, a.Name)
	}
	for _, name := range commands {
		args := append(strings.Fields(name), "--help")
		code, out, errs := call(t.Context(), noEnv, args...)
		if code != command.ExitOK || errs != "" || !strings.Contains(out, "Usage:") {
			t.Errorf("%q: exit code %d, stderr %q, stdout %q", args, code, errs, out)
		}
	}
	_, out, _ := call(t.Context(), noEnv, "help", "synch_p2p")
	for _, name := range []string{"WORKERS", "CPUS", "BIND", "SAMPLES", "WARMUP", "SAMPLE_TIME", "NO_VERIFY", "SEED", "FORMAT", "OUTPUT", "QUIET"} {
		if !strings.Contains(out, fmt.Sprintf("[OCRBENCH_%s]", name)) {
			t.Errorf("help does not name OCRBENCH_%s", name)
		}
	}
}

func firstCPU(t *testing.T) string {
	t.Helper()
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	return fmt.Sprint(mask[0])
}

// TestDefaultsAreTheCommandsOwn: commands share options, and one's default is not
// another's.
func TestDefaultsAreTheCommandsOwn(t *testing.T) {
	for name, samples := range map[string]string{"synch_p2p": "samples=10", "pgas": "samples=6"} {
		args := []string{name, "--sample-time", "1us", "--quiet"}
		if name == "pgas" {
			args = append(args, "sync", "--sync", "p2p", "--baseline", "none", "--iters", "1")
		} else {
			args = append(args, "-T", "1")
		}
		code, out, errs := call(t.Context(), noEnv, args...)
		if code != command.ExitOK || !slices.Contains(strings.Fields(out), samples) {
			t.Errorf("%s: exit code %d, %s, want %q in\n%s", name, code, errs, samples, out)
		}
	}
}
