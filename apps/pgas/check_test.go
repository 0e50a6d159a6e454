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

// eachSync calls f for each test that synchronises, in every way it can.
func eachSync(pes int, f func(Config)) {
	for _, test := range []string{"putput", "getget"} {
		for _, form := range []Form{Direct, EDT} {
			for _, sync := range []Sync{Pairwise, Flag} {
				for _, bytes := range testrun.Sized([]int{8}, []int{8, 4096}, []int{4, 8, 4096}) {
					cfg := Defaults(test)
					cfg.Form, cfg.PEs, cfg.Sync, cfg.Bytes, cfg.MaxTime, cfg.Iterations = form, pes, sync, bytes, 0, 5
					if cfg.Validate() == nil {
						f(cfg)
					}
				}
			}
		}
	}
}

// checkFails runs a Config whose checks must fail, and reports whether they did.
func checkFails(t *testing.T, what string, cfg Config) bool {
	t.Helper()
	r, err := runTest(t, cfg)
	for range 1000 {
		if err == nil { // another program has kept a PE from being early
			r, err = runTest(t, cfg)
		}
	}
	var wrong *trial.VerifyError
	if !errors.As(err, &wrong) || !strings.Contains(wrong.Where, "synchronisation check") || wrong.Got == wrong.Want ||
		r.Verified {
		t.Errorf("%s: %s: error %v, verified %v", name(cfg), what, err, r.Verified)
		return false
	}
	return true
}

// A synchronisation that is missing is noticed, the first of an iteration as well as the second.
func TestChecksFindAMissingSync(t *testing.T) {
	if raceDetector && os.Getenv("OCR_DATA_RACES") == "" {
		checkWithRaces(t)
		return
	}
	noticed := true
	for _, pes := range testrun.Sized([]int{2}, []int{2}, []int{2, 4}) {
		eachSync(pes, func(cfg Config) {
			if cfg.Sync == Flag || cfg.Form == EDT {
				return // the message synchronises, or its notification starts the move
			}
			for cfg.omitSync = 1; cfg.omitSync < 4; cfg.omitSync++ {
				noticed = checkFails(t, "no synchronisation", cfg) && noticed
			}
		})
	}
	if noticed {
		fmt.Println(allNoticed)
	}
}

const allNoticed = "every missing synchronisation was noticed"

// checkWithRaces runs the test in a process of its own: without synchronisation there are data
// races, which the race detector should see, but for which it fails a test.
func checkWithRaces(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChecksFindAMissingSync$",
		"-test.short="+fmt.Sprint(testing.Short()))
	cmd.Env = append(os.Environ(), "OCR_DATA_RACES=1")
	out, _ := cmd.CombinedOutput()
	for _, want := range []string{allNoticed, "WARNING: DATA RACE"} {
		testrun.Contains(t, string(out), want)
	}
}

// A single message that does not come is noticed.
func TestChecksFindAMissingMessage(t *testing.T) {
	for _, pes := range testrun.Sized([]int{2}, []int{2}, []int{2, 4}) {
		eachSync(pes, func(cfg Config) {
			if cfg.Sync == Flag && cfg.Bytes <= 8 {
				return // nothing but the flag
			}
			for cfg.omitPut = 1; cfg.omitPut <= pes; cfg.omitPut++ {
				checkFails(t, "no message", cfg)
			}
		})
	}
}

// The checks are part of the verification, and leave the rest of the run as it is.
func TestChecksPass(t *testing.T) {
	for _, pes := range []int{2, testrun.Sized(4, 4, 8)} {
		eachSync(pes, func(cfg Config) {
			r, err := runTest(t, cfg)
			if err != nil || !r.Verified {
				t.Errorf("%s: %v", name(cfg), err)
			}
			cfg.NoVerify, cfg.omitPut = true, 1
			if r, err = runTest(t, cfg); err != nil || r.Verified {
				t.Errorf("%s: unverified: %v", name(cfg), err)
			}
		})
	}
}
