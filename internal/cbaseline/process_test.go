package cbaseline

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/apps/c2c"
)

func TestProgramRefusesRequests(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	wants := map[string]string{
		"hello":                           "want: trial|where test width",
		"trial single 4 same 1 0 0 1":     "want: trial|where test width",
		"trial single 4 same 1 0 0 1 1 1": "want: trial|where test width",
	}
	maps.Copy(wants, wrongRequests)
	lines := slices.Sorted(maps.Keys(wants))
	for i := range lines {
		lines[i] += "\n"
	}
	for i, got := range answers(t, cpu, cpu, lines...) {
		if text, failed := strings.CutPrefix(got, "error "); !failed || !strings.Contains(text, wants[strings.TrimSpace(lines[i])]) {
			t.Errorf("%s: answered %q, want an error with %q", lines[i], got, wants[strings.TrimSpace(lines[i])])
		}
	}
}

func TestProgramRefusesToStart(t *testing.T) {
	cpu, path := allowedCPUs(t, 1)[0], programOf(t)
	for _, tt := range []struct {
		name  string
		a, b  int
		limit time.Duration
		want  string
	}{
		{"A beyond the machine", 50000, cpu, time.Second, "cbaseline: cannot pin a thread to CPU 50000: Invalid argument"},
		{"B beyond the machine", cpu, 50000, time.Second, "cbaseline: cannot pin a thread to CPU 50000: Invalid argument"},
		{"negative", -1, cpu, time.Second, "cbaseline: no CPU -1 (allowed: 0 to 1048575)"},
		{"beyond any machine", 1 << 20, cpu, time.Second, "cbaseline: no CPU 1048576 (allowed: 0 to 1048575)"},
		{"no time", cpu, cpu, 0, "cbaseline: no time limit 0 (allowed: above 0, at most 86400 seconds)"},
		{"two days", cpu, cpu, 48 * time.Hour, "cbaseline: no time limit 172800 (allowed: above 0, at most 86400 seconds)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := run(t.Context(), path, tt.a, tt.b, tt.limit, request(longRequest)); err == nil || err.Error() != tt.want {
				t.Errorf("run(%d, %d) = %v, want %s", tt.a, tt.b, err, tt.want)
			}
		})
	}
}

// TestCancel: cancelling the context, before a trial or during it, ends the program.
func TestCancel(t *testing.T) {
	needCompiler(t)
	cpu := allowedCPUs(t, 1)[0]
	if err := Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	for _, after := range []time.Duration{0, 50 * time.Millisecond} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if after == 0 {
			cancel(cause)
		} else {
			time.AfterFunc(after, func() { cancel(cause) })
		}
		if _, err := Trial(ctx, cpu, cpu, noLimit, longRequest); !errors.Is(err, cause) {
			t.Errorf("Trial() = %v, want %v", err, cause)
		}
	}
}

// TestStrangePrograms: what a program says that does not do as ours, or ends early, is in the
// error.
func TestStrangePrograms(t *testing.T) {
	needLinux(t)
	for script, want := range map[string]string{
		"echo 'no such library' >&2; exit 127": "cbaseline: the C program: exit status 127: no such library",
		"kill -KILL $$":                        "cbaseline: the C program: signal: killed: no message",
		"echo ready; kill -KILL $$":            "cbaseline: the C program: signal: killed: no message",
		"echo hello":                           `cbaseline: the C program answered "hello\n"`,
		"echo ready":                           `cbaseline: the C program answered "ready\n"`,
	} {
		path := filepath.Join(t.TempDir(), "c2c")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := run(t.Context(), path, 0, 0, time.Second, request(c2c.Defaults())); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
}
