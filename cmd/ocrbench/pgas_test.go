package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	tests "ocr/apps/pgas"
	"ocr/internal/command"
	"ocr/internal/sys"
)

func TestPGASUsageErrors(t *testing.T) {
	const (
		list    = "must be a comma-separated list of "
		sizes   = list + "sizes and doubling ranges of them, as 8,16:256, within 1..1GiB"
		strides = list + "strides and doubling ranges of them, as 8,16:256, within 1..1MiB"
	)
	for _, c := range []struct{ args, want string }{
		{"nosuch", "unknown test nosuch: must be one of putget, putput, "},
		{"putget a\x1bb", `unknown test "a\x1bb": must be one of putget, `},
		{"putgte", "unknown test putgte: did you mean putget"},
		{"putget putget", "test putget is there twice: must be there once"},
		{"putget --strides 3", "--strides 3: must be with one of the tests stridedput, stridedget, "},
		{"reduce --sync p2p", "--sync p2p: must be with one of the tests putput, getget, sync"},
		{"putget sync --window 4", "--window 4: must be with one of the tests putbw, putbibw"},
		{"reduce --self", "--self: must be with one of the tests randomput, "},
		{"reduce --partner-offset 1", "--partner-offset 1: must be with one of the tests putget, "},
		{"sync --sizes 8", "--sizes 8: must be with one of the tests putget, "},
		{"--workers 3", "--workers 3: PEs work in pairs: must be even numbers"},
		{"--workers 4 --pes 2", "--pes 2: each is a worker: must be 4, or not be given with --workers"},
		{"--ranks 2 --pes 3", "--pes 3: each rank has as many: must be a multiple of 2"},
		{"--ranks 3 --workers 1", "--ranks 3: PEs work in pairs: must be even numbers"},
		{"--ranks 2 --engine mpi", "--engine mpi: this program was built without MPI"},
		{"--pes 0", "--pes 0: must be a whole number in 1.."},
		{"--pes 3", "--pes 3: PEs work in pairs: must be even numbers"},
		{"putget --pes 6 --partner-offset 2", "--partner-offset 2: the number of PEs (6) must be a multiple of twice the offset: must be 0 or a divisor of 3"},
		{"putget --partner-offset -1", "--partner-offset -1: must be a whole number in 0.."},
		{"putbw --sizes 512MiB", "--sizes 512MiB: the test needs a segment of "},
		{"putbw --segment 0", "--segment 0: must be a size in 1..16GiB"},
		{"--svg=", `--svg "": must be a file`},
		{"putbw --compat --sizes 4,6", "--sizes 4,6: --compat prints elements of 4 bytes: must be multiples of it"},
		{"--sizes 0", "--sizes 0: " + sizes},
		{"--sizes -17179869183GiB", "--sizes -17179869183GiB: " + sizes},
		{"--sizes 4:2", "--sizes 4:2: " + sizes},
		{"--sizes 4:4GiB", "--sizes 4:4GiB: " + sizes},
		{"--sizes=", `--sizes "": ` + sizes},
		{"stridedput --strides 0", "--strides 0: " + strides},
		{"stridedput --strides 1.5", "--strides 1.5: " + strides},
		{"stridedput --strides 1:2097152", "--strides 1:2097152: " + strides},
		{"putbw --window 3", "--window 3: " + list + "1, 2, 4, 8, "},
		{"--forms mpi", "--forms mpi: " + list + "direct, edt"},
		{"--sync all", "--sync all: " + list + "barrier, p2p, flag"},
		{"sync --sync flag", "--sync flag: test sync has none of these: must be a list of barrier, p2p"},
		{"--iters -1", "--iters -1: must be a whole number in 0.."},
		{"--max-time 0s", "--max-time 0s: must be a duration in 1ms..1h0m0s"},
		{"--baseline c", "--baseline c: " + list + "copy, line, or none"},
		{"--baseline none,copy", "--baseline none,copy: part none: must stand alone"},
		{"--compat --format csv", "--compat: must be with --format text, it is csv"},
		{"--svg -", "--svg -: must be a file: results go to standard output"},
		{"--svg /nonexistent/x", "--svg /nonexistent/x: must be a file in a directory that can be written: "},
		{"--cpus 8190", "--cpus 8190: "},
	} {
		t.Run(c.args, func(t *testing.T) {
			wantUsage(t, noEnv, append([]string{"pgas"}, strings.Split(c.args, " ")...), c.want)
		})
	}
	wantUsage(t, envOf("OCRBENCH_PES=odd"), []string{"pgas"}, "OCRBENCH_PES odd: must be a whole number in 1..")
}

// TestPGASPlaces: eight PEs on a processor finish and verify, and so does an odd number in
// tests without pairs. The default is an even number.
func TestPGASPlaces(t *testing.T) {
	one := firstCPU(t)
	for _, c := range []struct {
		args       string
		pes        float64
		first, say string
	}{
		{"putput putbibw reduce --pes 8 --sizes 8 --cpus " + one, 8, "pgas/putput/direct/bytes=8/pes=8", "8 workers share 1 processors"},
		{"reduce --sizes 8 --cpus " + one, 2, "pgas/line/direct/pes=2", "2 workers share 1 processors"},
		{"reduce randomput --pes 3 --sizes 64", 3, "pgas/randomput/direct/bytes=64/pes=3", ""},
	} {
		args := append(strings.Fields("pgas --samples 1 --warmup 0 --max-time 1ms --format json"), strings.Fields(c.args)...)
		code, out, errs := call(t.Context(), noEnv, args...)
		if code != command.ExitOK || !strings.Contains(errs, c.say) {
			t.Errorf("%s: exit code %d, stderr %q", c.args, code, errs)
			continue
		}
		d := decode(t, out)
		has := false
		for _, result := range d.Results {
			has = has || result.Name == c.first
			if strings.Contains(result.Name, "polled") {
				t.Errorf("%s: %s beside PEs that share a processor", c.args, result.Name)
			}
		}
		if !d.Verified || d.Config["pes"] != c.pes || !has {
			t.Errorf("%s: verified %v, %v PEs, results %+v", c.args, d.Verified, d.Config["pes"], d.Results)
		}
	}
}

// TestPGASPlacesInOrder: PE i is on the i-th processor given.
func TestPGASPlacesInOrder(t *testing.T) {
	mask, err := sys.GetAffinity()
	if err != nil || len(mask) < 2 {
		t.Skipf("needs two processors, has %v: %v", mask, err)
	}
	cpus := []string{strconv.Itoa(mask[1]), strconv.Itoa(mask[0])}
	_, out, _ := call(t.Context(), noEnv, strings.Fields("pgas sync --samples 1 --warmup 0 --max-time 1ms --quiet --cpus "+strings.Join(cpus, ","))...)
	if list := strings.Join(cpus, ","); !strings.Contains(out, "workers on "+list+" (read back)") || !strings.Contains(out, " cpus="+list+" ") {
		t.Errorf("PEs on %v:\n%s", cpus, out)
	}
}

// inThirdRound runs the command until each side has had two samples.
func inThirdRound(t *testing.T, args ...string) (code int, stdout, stderr string) {
	return callInterrupted(t, thirdSample, args...)
}

func TestPGASInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		args      string
		interrupt func(t *testing.T, args ...string) (code int, stdout, stderr string)
		rows      string
	}{
		{"putput --sizes 8 --samples 1000000 --warmup 0 --max-time 1h --sample-time 100us", inThirdRound, "pgas/putput/"},
		{"putbw --sizes 8 --forms direct --baseline none --samples 1 --warmup 0 --iters 1099511627776 --max-time 1h", callInterruptedInside, ""},
		{"reduce --sizes 8 --forms edt --samples 1 --warmup 0 --iters 1099511627776 --max-time 1h", callInterruptedInside, ""},
	} {
		code, out, errs := c.interrupt(t, append(strings.Fields("pgas --pes 2 --quiet --format json"), strings.Fields(c.args)...)...)
		if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", c.args, code, errs)
			continue
		}
		d := decode(t, out)
		if !d.Partial || (len(d.Results) > 0) != (c.rows != "") {
			t.Errorf("%s: partial %v, %d results", c.args, d.Partial, len(d.Results))
		}
		for _, result := range d.Results {
			if !strings.HasPrefix(result.Name, "pgas/") || result.Metrics["ns/op"].N < 1 {
				t.Errorf("result %+v", result)
			}
		}
	}
}

// TestPGASHelp: help names every test, and completion those that are left.
func TestPGASHelp(t *testing.T) {
	_, help, _ := call(t.Context(), noEnv, "help", "pgas")
	words := strings.FieldsFunc(help, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	for _, name := range tests.TestNames() {
		if !slices.Contains(words, name) {
			t.Errorf("help does not name test %s", name)
		}
	}
	if !strings.Contains(help, "[OCRBENCH_PES]") {
		t.Error("help does not name OCRBENCH_PES")
	}
	code, out, _ := call(t.Context(), noEnv, "__complete", "pgas", "putget", "")
	lines := strings.Split(out, "\n")
	if code != command.ExitOK || slices.Contains(lines, "putget") || !slices.Contains(lines, "putput") || !slices.Contains(lines, "reduceinplace") {
		t.Errorf("exit code %d, completions %s", code, out)
	}
}
