package runtime

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

const hangVariable = "OCR_TEST_HANGS"

// guarded has a run that hangs end the tests, with the name of this one.
func guarded(t testing.TB, after time.Duration) Option {
	return Watchdog(Watch{Still: after, Report: func(s Stall) { testrun.Hangs(t, s.For, s.Snapshot) }})
}

// TestHangIsNamed: what mustRun does with a run that hangs, in a process of its own and
// after a shorter time.
func TestHangIsNamed(t *testing.T) {
	if os.Getenv(hangVariable) != "" {
		mustRun(t, starting(func(c *edt.Ctx) {
			c.NewEDT(c.NewTemplate("hanging", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { select {} }), nil)
		}), Workers(2), guarded(t, 50*time.Millisecond))
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHangIsNamed$")
	cmd.Env = append(os.Environ(), hangVariable+"=1")
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("the process ended with %v, want exit code 2", err)
	}
	testrun.Contains(t, string(said), "TestHangIsNamed hangs: no EDT has begun for ", "of template hanging",
		"hang_test.go:")
}
