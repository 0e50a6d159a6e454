package cbaseline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"ocr/apps/c2c"
)

func TestProgramRefusesRequests(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := run(t, cpu, cpu, noLimit)
	lines := map[string]string{
		"hello":                           "want: trial|where test width",
		"trial single 4 same 1 0 0 1":     "want: trial|where test width",
		"trial single 4 same 1 0 0 1 1 1": "want: trial|where test width",
	}
	maps.Copy(lines, wrongRequests)
	for line, want := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		got, err := p.readLine()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if text, failed := strings.CutPrefix(got, "error "); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: answered %q, want an error with %q", line, got, want)
		}
	}
}

func TestStartRefuses(t *testing.T) {
	needCompiler(t)
	cpu := allowedCPUs(t, 1)[0]
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
			p, err := start(context.Background(), tt.a, tt.b, tt.limit)
			if err == nil {
				_ = p.Close()
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("start(%d, %d) = %v, want %s", tt.a, tt.b, err, tt.want)
			}
		})
	}
}

// running tells whether the program is still there.
func running(p *Process) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", p.cmd.Process.Pid))
	return err == nil
}

// TestCancel: cancelling either context during a trial kills the program.
func TestCancel(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	cause := errors.New("enough")
	for _, of := range []string{"start", "trial"} {
		t.Run(of, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			contexts := map[string]context.Context{"start": context.Background(), "trial": context.Background()}
			contexts[of] = ctx
			p := runIn(t, contexts["start"], cpu, cpu, noLimit)
			p.onRequest(func() { time.AfterFunc(time.Millisecond, func() { cancel(cause) }) })
			if _, err := p.Trial(contexts["trial"], longRequest); !errors.Is(err, cause) {
				t.Errorf("Trial() = %v, want %v", err, cause)
			}
			if running(p) {
				t.Error("the program is still there")
			}
			if _, err := p.Trial(context.Background(), longRequest); !errors.Is(err, ErrEnded) {
				t.Errorf("Trial() after that = %v, want %v", err, ErrEnded)
			}
			if err := p.Close(); err != nil {
				t.Errorf("Close() = %v", err)
			}
		})
	}
}

// TestCancelledBefore: a context cancelled before a trial leaves the program alone.
func TestCancelledBefore(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := run(t, cpu, cpu, noLimit)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Trial(ctx, longRequest); !errors.Is(err, context.Canceled) {
		t.Errorf("Trial() = %v, want %v", err, context.Canceled)
	}
	check(t, p, c2c.Config{Test: c2c.Single, Width: 1, Length: 1, Transfers: 1}, cpu, cpu)
	if _, err := Start(ctx, cpu, cpu); !errors.Is(err, context.Canceled) {
		t.Errorf("Start() = %v, want %v", err, context.Canceled)
	}
}

// TestKilled: a program that somebody else kills is reported as that, by the trial or else
// by Close.
func TestKilled(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	killed := func(what string, err error) {
		if !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), "signal: killed") {
			t.Errorf("%s = %v, want %v and the signal", what, err, ErrEnded)
		}
	}
	p := run(t, cpu, cpu, noLimit)
	p.onRequest(func() { _ = p.cmd.Process.Kill() })
	_, err := p.Trial(context.Background(), longRequest)
	killed("Trial()", err)
	p = runIn(t, context.Background(), cpu, cpu, noLimit)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed("Close()", p.Close())
}

func TestCloseEndsTheProgram(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := runIn(t, context.Background(), cpu, cpu, noLimit)
	if !running(p) {
		t.Fatal("the program is not there")
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	}
	if running(p) {
		t.Error("the program is still there")
	}
}

// TestCloseKillsWhatHangs: a program that does not end with its input is killed.
func TestCloseKillsWhatHangs(t *testing.T) {
	needLinux(t)
	p, err := launch(context.Background(), "/bin/sh", "-c", "kill -STOP $$")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); !errors.Is(err, ErrEnded) {
		t.Errorf("Close() = %v, want %v", err, ErrEnded)
	}
	if running(p) {
		t.Error("the program is still there")
	}
}

// TestNotReady: a program that does not begin as ours does. What it says on stderr before
// it ends is in the error.
func TestNotReady(t *testing.T) {
	needLinux(t)
	for script, want := range map[string]string{
		"echo 'no such library' >&2; exit 127": ErrEnded.Error() + ": exit status 127: no such library",
		"echo hello":                           `began with "hello"`,
	} {
		p, err := launch(context.Background(), "/bin/sh", "-c", script)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.awaitReady(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: awaitReady() = %v, want an error with %s", script, err, want)
		}
		if err := p.Close(); err != nil && script == "echo hello" {
			t.Errorf("%s: Close() = %v", script, err)
		}
	}
}
