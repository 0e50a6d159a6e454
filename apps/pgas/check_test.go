package pgas

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// The checks find a missing synchronisation, the first as well as the second of an iteration. The race detector finds
// it too, and fails a test for it: so under the detector the test runs in a process of its own.
func TestChecksFindAMissingSync(t *testing.T) {
	if testrun.Race() && os.Getenv("OCR_DATA_RACES") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChecksFindAMissingSync$", "-test.short="+fmt.Sprint(testing.Short()))
		cmd.Env = append(os.Environ(), "OCR_DATA_RACES=1")
		out, _ := cmd.CombinedOutput()
		testrun.Contains(t, string(out), allNoticed, "WARNING: DATA RACE")
		return
	}
	noticed := true
	each(2, testrun.Sized([]int{8}, []int{8, 4096}, []int{4, 8, 4096}), func(cfg Config) {
		if len(Lookup(cfg.Test).Syncs) > 0 && cfg.Sync == Pairwise {
			for _, cfg.Fault = range []Fault{LostSync, LostSecond} {
				noticed = checkFails(t, cfg) && noticed
			}
		}
	})
	if noticed {
		fmt.Println(allNoticed)
	}
}

const allNoticed = "every missing synchronisation was noticed"

// The checks find a single message that does not arrive, in both forms.
func TestChecksFindAMissingMessage(t *testing.T) {
	each(testrun.Sized(2, 2, 4), testrun.Sized([]int{16}, []int{16, 4096}, []int{16, 4096}), func(cfg Config) {
		if len(Lookup(cfg.Test).Syncs) > 0 {
			cfg.Fault = LostMessage
			checkFails(t, cfg)
		}
	})
}

// checkFails runs a Config whose checks must fail, and reports whether they did.
func checkFails(t *testing.T, cfg Config) bool {
	t.Helper()
	r, err := runTest(t, cfg)
	for range 1000 {
		if err == nil { // another program has delayed the PE that should be early
			r, err = runTest(t, cfg)
		}
	}
	var wrong *trial.VerifyError
	if !errors.As(err, &wrong) || !strings.Contains(wrong.Where, "synchronisation check") || wrong.Got == wrong.Want ||
		r.Verified {
		t.Errorf("%s: fault %q: error %v, verified %v", name(cfg), cfg.Fault, err, r.Verified)
		return false
	}
	return true
}
