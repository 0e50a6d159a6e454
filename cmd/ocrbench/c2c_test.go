package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/core/sys"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

// allowedCPUs returns the processors that this process may use.
func allowedCPUs(t *testing.T) []int {
	t.Helper()
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	return mask
}

// twoCPUs skips a test that needs two processors where there is one.
func twoCPUs(t *testing.T) {
	t.Helper()
	if mask := allowedCPUs(t); len(mask) < 2 {
		t.Skipf("one processor only (%v): a transfer needs two", mask)
	}
}

// TestC2CInterrupted: what was measured is written, and it, the picture and the matrix are marked as partial.
func TestC2CInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	twoCPUs(t)
	t.Chdir(t.TempDir())
	code, out, errs := callInterrupted(t, thirdSample,
		strings.Fields("c2c --trials 1000000 --test single --forms polled,edt "+
			"--baseline none --stim-len 200 --warmup 100 --svg x.svg --matrix x.csv")...)
	const want = "ocrbench: warning: partial results go to x.svg.partial\n" +
		"ocrbench: warning: partial results go to x.csv.partial\nocrbench: interrupted\n"
	if code != command.ExitInterrupted || errs != want {
		t.Errorf("exit code %d, stderr %q; want 130, %q", code, errs, want)
	}
	testrun.Contains(t, out, "c2c: verified, partial: not all samples were taken\n", "\npolled ")
	testrun.Contains(t, testrun.Read(t, "x.svg.partial"), "partial")
	testrun.Contains(t, testrun.Read(t, "x.csv.partial"), "partial")
}

// TestInterruptBeforeAnything holds that a file with results is not replaced by one without.
func TestInterruptBeforeAnything(t *testing.T) {
	twoCPUs(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(testbed.ErrInterrupted)
	file := filepath.Join(t.TempDir(), "old.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(ctx, noEnv, "c2c", "-o", file)
	if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" || out != "" ||
		testrun.Read(t, file) != "old\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q, file %q", code, out, errs, testrun.Read(t, file))
	}
}
