package cbaseline

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/apps/c2c"
	"ocr/apps/trial"
)

func TestRequest(t *testing.T) {
	for want, cfg := range map[string]c2c.Config{
		"trial single 1 separate 1 0 0 9 1\n":     {Test: c2c.Single, Width: 1, Layout: c2c.Same, Length: 1, Transfers: 9, Blocks: 8},
		"trial dual 8 same 1 63 5 6 1\n":          {Test: c2c.Dual, Width: 8, Layout: c2c.Same, Length: 1, Line: 63, Warmup: 5, Transfers: 6},
		"trial array 4 separate 512 0 0 1 1\n":    {Test: c2c.Array, Width: 4, Layout: c2c.Same, Length: 512, Transfers: 1, Blocks: 3},
		"trial flow 4 separate 512 0 5 10 1\n":    {Test: c2c.Flow, Width: 4, Length: 512, Warmup: 10, Transfers: 20, Blocks: 3},
		"trial blocked 4 separate 512 0 5 10 1\n": {Test: c2c.Blocked, Width: 4, Length: 512, Warmup: 10, Transfers: 20},
		"trial ring 2 separate 256 0 10 20 3\n":   {Test: c2c.Ring, Width: 2, Length: 256, Warmup: 10, Transfers: 20, Blocks: 3},
	} {
		if got := request(cfg); got != want {
			t.Errorf("request(%+v) = %q, want %q", cfg, got, want)
		}
	}
}

// wrongRequests are refused by the program, each with such an error.
var wrongRequests = map[string]string{
	"trial triple 4 same 1 0 0 1 1":    "no test",
	"trial single 3 same 1 0 0 1 1":    "width 3 (allowed: 1, 2, 4, 8)",
	"trial dual 4 near 1 0 0 1 1":      "no layout",
	"trial array 4 same 0 0 0 1 1":     "length 0 (allowed: 1 to 65536)",
	"trial array 4 same 65537 0 0 1 1": "length 65537 (allowed: 1 to 65536)",
	"trial single 4 same 1 -1 0 1 1":   "line -1 (allowed: 0 to 63)",
	"trial single 4 same 1 64 0 1 1":   "line 64 (allowed: 0 to 63)",
	"trial single 4 same 1 0 -1 1 1":   "warmup -1 (allowed: 0 to 1099511627776)",
	"trial single 4 same 1 0 0 0 1":    "transfers 0 (allowed: 1 to 1099511627776)",
	"trial ring 8 same 65536 0 0 1 33": "capacity 33 (allowed: 1 to 32)",
	"trial ring 8 same 1 0 0 1 -1":     "capacity -1 (allowed: 1 to 2097152)",
}

func TestResult(t *testing.T) {
	cfg := c2c.Config{Test: c2c.Blocked, Transfers: 20}
	want := c2c.Result{Config: cfg, Transfers: 20, Ends: [2]c2c.End{
		{Elapsed: 1200, CPU: [2]int{4, 5}, Preemptions: 8},
		{Elapsed: 1300, CPU: [2]int{6, 7}, Preemptions: 9},
	}}
	got, err := result(cfg, "ok 1200 1300 4 5 6 7 8 9 0")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("result: %v, difference (-want +got):\n%s", err, diff)
	}
	var wrong *trial.VerifyError
	if _, err := result(cfg, "ok 1200 1300 4 5 6 7 8 9 10"); !errors.As(err, &wrong) {
		t.Errorf("10 wrong elements: %v, want a VerifyError", err)
	}
}

func TestResultRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"error no test x":            "cbaseline: no test x",
		"":                           `answered ""`,
		"ready":                      `answered "ready"`,
		"ok 1 2 3 4 5 6 7 8":         "answered",
		"ok 1 2 3 4 5 6 7 8 9 10":    "answered",
		"ok 1 2 3 4 5 six 7 8 9":     "answered",
		"okay 1 2 3 4 5 6 7 8 9":     "answered",
		"error timeout: not in time": "the C program: not in time",
	} {
		_, err := result(c2c.Config{}, line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("result of %q: %v, want an error with %q", line, err, want)
		}
		if timeout := strings.Contains(line, "timeout"); errors.Is(err, c2c.ErrNothing) != timeout {
			t.Errorf("result of %q: errors.Is(err, ErrNothing) = %v", line, !timeout)
		}
	}
}
