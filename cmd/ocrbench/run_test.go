package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	tests "ocr/apps/pgas"
	"ocr/internal/command"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// TestInterruptEndsALongGraph holds that one long run is not waited for: it takes hours.
func TestInterruptEndsALongGraph(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, form := range []string{"edt", "serial", "goroutines"} {
		code, out, _ := callInterruptedInside(t, "synch_p2p", "-T", "2000000000", "--forms", form)
		if code != command.ExitInterrupted {
			t.Errorf("%s: exit code %d", form, code)
		}
		testrun.Contains(t, out, "partial", "no sample was completed")
	}
}

// TestHelp holds that each command has a help that fits a terminal, and names the variables of its environment.
func TestHelp(t *testing.T) {
	commands := strings.Fields("new topo list compare convert report version completion help")
	for _, c := range ocrbench().Commands {
		commands = append(commands, c.Name)
	}
	for _, name := range append(commands, "") {
		code, out, errs := call(t.Context(), noEnv, append(strings.Fields(name), "--help")...)
		if code != command.ExitOK || errs != "" || !strings.Contains(out, "Usage:") {
			t.Errorf("%q: exit code %d, stderr %q, stdout %q", name, code, errs, out)
		}
		for line := range strings.Lines(out) {
			if utf8.RuneCountInString(line) > report.Width+1 && name != "completion" {
				t.Errorf("%q has a line of more than %d characters: %s", name, report.Width, line)
			}
		}
	}
	_, out, _ := call(t.Context(), noEnv, "help", "synch_p2p")
	for _, name := range strings.Fields(
		"WORKERS CPUS BIND SAMPLES WARMUP SAMPLE_TIME NO_VERIFY SEED FORMAT OUTPUT QUIET",
	) {
		testrun.Contains(t, out, "[OCRBENCH_"+name+"]")
	}
	_, out, _ = call(t.Context(), noEnv, "help", "pgas")
	testrun.Contains(t, out, append(tests.TestNames(), "[OCRBENCH_PES]")...)
}
