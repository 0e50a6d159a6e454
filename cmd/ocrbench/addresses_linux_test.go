package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFewAddresses: built without cgo, the command does all that it does under ulimit -v of 1 GiB, and with less it
// says so.
func TestFewAddresses(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "ocrbench")
	build := exec.Command("go", "build", "-o", exe, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(kib, args string) (string, error) {
		out, err := exec.Command("sh", "-c", "ulimit -v "+kib+`; exec "$0" `+args, exe).CombinedOutput()
		return string(out), err
	}
	for _, args := range []string{
		"hello world",
		"synch_p2p -T 2 --clone both",
		"synch_p2p -T 2 --check",
		"synch_p2p -T 2 --workers 8 --trace " + filepath.Join(t.TempDir(), "trace.json"),
		"taskbench -steps 20 -width 8 -type stencil_1d",
		"pgas put --sizes 64 --samples 1",
		"overhead latency --samples 1",
	} {
		if out, err := run("1048576", args); err != nil {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
	const want = "ocrbench: the address space is limited to 976 MiB: must be 1024 MiB or more, see ulimit -v\n"
	if out, err := run("1000000", "hello world"); exitCode(err) != exitFailed || out != want {
		t.Errorf("%v, %q, want %q", err, strings.TrimSpace(out), want)
	}
}
