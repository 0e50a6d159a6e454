package cbaseline

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequestLine(t *testing.T) {
	for _, tt := range []struct {
		name    string
		request Request
		want    string
	}{
		{"single takes no length", Request{Test: Single, Width: 1, Transfers: 9}, "trial single 1 separate 1 0 0 9 1\n"},
		{"dual takes a layout", Request{Test: Dual, Width: 8, Layout: Same, Length: 7, Line: 63, Warmup: 5, Transfers: 6},
			"trial dual 8 same 1 63 5 6 1\n"},
		{"array takes no layout", Request{Test: Array, Width: 4, Layout: Same, Length: 512, Transfers: 1, Capacity: 3},
			"trial array 4 separate 512 0 0 1 1\n"},
		{"ring has a capacity", Request{Test: Ring, Width: 2, Length: 256, Transfers: 1}, "trial ring 2 separate 256 0 0 1 8\n"},
		{"or another", Request{Test: Ring, Width: 2, Length: 256, Transfers: 1, Capacity: 3}, "trial ring 2 separate 256 0 0 1 3\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := tt.request.line(); err != nil || got != tt.want {
				t.Errorf("line() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// wrongRequests are refused here; those with a wire form also by the program.
var wrongRequests = []struct {
	request Request
	wire    string
	want    string
}{
	{Request{Test: "triple", Width: 4, Transfers: 1}, "trial triple 4 same 1 0 0 1 1", "no test"},
	{Request{Test: Single, Width: 3, Transfers: 1}, "trial single 3 same 1 0 0 1 1", "width 3 (allowed: 1, 2, 4, 8)"},
	{Request{Test: Dual, Width: 4, Transfers: 1}, "", "no layout"},
	{Request{Test: Dual, Width: 4, Transfers: 1, Layout: "near"}, "trial dual 4 near 1 0 0 1 1", "no layout"},
	{Request{Test: Array, Width: 4, Transfers: 1}, "trial array 4 same 0 0 0 1 1", "length 0 (allowed: 1 to 65536)"},
	{Request{Test: Array, Width: 4, Transfers: 1, Length: 65537}, "trial array 4 same 65537 0 0 1 1", "length 65537 (allowed: 1 to 65536)"},
	{Request{Test: Single, Width: 4, Transfers: 1, Line: -1}, "trial single 4 same 1 -1 0 1 1", "line -1 (allowed: 0 to 63)"},
	{Request{Test: Single, Width: 4, Transfers: 1, Line: 64}, "trial single 4 same 1 64 0 1 1", "line 64 (allowed: 0 to 63)"},
	{Request{Test: Single, Width: 4, Transfers: 1, Warmup: -1}, "trial single 4 same 1 0 -1 1 1", "warmup -1 (allowed: 0 to 1099511627776)"},
	{Request{Test: Single, Width: 4}, "trial single 4 same 1 0 0 0 1", "transfers 0 (allowed: 1 to 1099511627776)"},
	{Request{Test: Ring, Width: 8, Length: 65536, Transfers: 1, Capacity: 33}, "trial ring 8 same 65536 0 0 1 33", "capacity 33 (allowed: 1 to 32)"},
	{Request{Test: Ring, Width: 8, Length: 1, Transfers: 1, Capacity: -1}, "trial ring 8 same 1 0 0 1 -1", "capacity -1 (allowed: 1 to 2097152)"},
}

func TestRequestRefuses(t *testing.T) {
	for _, tt := range wrongRequests {
		if _, err := tt.request.line(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("line() of %+v = %v, want an error with %q", tt.request, err, tt.want)
		}
	}
}

func TestParseAnswer(t *testing.T) {
	want := Answer{
		A:     Side{Elapsed: 1200, CPUs: [2]int{4, 5}, Preemptions: 8},
		B:     Side{Elapsed: 1300, CPUs: [2]int{6, 7}, Preemptions: 9},
		Wrong: 10,
	}
	got, err := parseAnswer("ok 1200 1300 4 5 6 7 8 9 10")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("parseAnswer: %v, difference (-want +got):\n%s", err, diff)
	}
}

func TestParseAnswerRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"error no test x":            "cbaseline: no test x",
		"":                           `answered ""`,
		"ready":                      `answered "ready"`,
		"ok 1 2 3 4 5 6 7 8":         "answered",
		"ok 1 2 3 4 5 6 7 8 9 10":    "answered",
		"ok 1 2 3 4 5 six 7 8 9":     "answered",
		"okay 1 2 3 4 5 6 7 8 9":     "answered",
		"error timeout: not in time": "timeout: not in time",
	} {
		_, err := parseAnswer(line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseAnswer(%q) = %v, want an error with %q", line, err, want)
		}
		if timeout := strings.Contains(line, "timeout"); errors.Is(err, ErrTimeout) != timeout {
			t.Errorf("parseAnswer(%q): errors.Is(err, ErrTimeout) = %v", line, !timeout)
		}
	}
}
