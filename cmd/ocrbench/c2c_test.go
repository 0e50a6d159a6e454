package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

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

func twoCPUs(t *testing.T) {
	t.Helper()
	if mask := allowedCPUs(t); len(mask) < 2 {
		t.Skipf("one processor only (%v): a transfer needs two", mask)
	}
}

// TestInterruptBeforeAnything holds that a file with results is not replaced by one without.
func TestInterruptBeforeAnything(t *testing.T) {
	twoCPUs(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(testbed.ErrInterrupted)
	file := filepath.Join(t.TempDir(), "old.txt")
	testrun.OK(t, os.WriteFile(file, []byte("old\n"), 0o666))
	code, out, errs := call(ctx, "c2c", "-o", file)
	if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" || out != "" ||
		testrun.Read(t, file) != "old\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q, file %q", code, out, errs, testrun.Read(t, file))
	}
}
