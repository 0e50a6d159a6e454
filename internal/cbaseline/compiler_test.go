package cbaseline

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"
)

func needLinux(t *testing.T) {
	t.Helper()
	if goruntime.GOOS != "linux" {
		t.Skip("the baseline is for linux only")
	}
}

// fakeCompiler puts a shell script on PATH as the only compiler.
func fakeCompiler(t *testing.T, name, script string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return path
}

// tempDir makes an empty directory the one for temporary files.
func tempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return dir
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the directory for temporary files: %v, %v", left, err)
	}
}

func TestNoCompiler(t *testing.T) {
	needLinux(t)
	t.Setenv("PATH", "")
	const want = "cbaseline: no gcc or cc on PATH"
	if _, err := findCompiler(); err == nil || err.Error() != want {
		t.Errorf("findCompiler() = %v, want %s", err, want)
	}
}

func TestAvailableTakesCC(t *testing.T) {
	needLinux(t)
	want := fakeCompiler(t, "cc", "exit 0\n")
	if got, err := findCompiler(); err != nil || got != want {
		t.Errorf("findCompiler() = %q, %v, want %q", got, err, want)
	}
}

func TestCompileFailure(t *testing.T) {
	needLinux(t)
	for _, tt := range []struct{ name, script, want string }{
		{"first error", "echo 'c2c.c: In function main:'\necho 'c2c.c:1:1: error: no such thing' >&2\nexit 1\n", "gcc: exit status 1: c2c.c:1:1: error: no such thing"},
		{"first line", "echo something >&2\necho else >&2\nexit 2\n", "gcc: exit status 2: something"},
		{"silent", "exit 3\n", "gcc: exit status 3: no message"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			compiler := fakeCompiler(t, "gcc", tt.script)
			temp := tempDir(t)
			if _, err := build(context.Background(), compiler); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("build() = %v, want an error that ends in %q", err, tt.want)
			}
			wantEmpty(t, temp)
		})
	}
}

// TestBuildIsCancelled: a compiler that hangs is killed with the context.
func TestBuildIsCancelled(t *testing.T) {
	needLinux(t)
	compiler := fakeCompiler(t, "gcc", "kill -STOP $$\n")
	temp := tempDir(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	if _, err := build(ctx, compiler); !errors.Is(err, cause) {
		t.Errorf("build() = %v, want %v", err, cause)
	}
	wantEmpty(t, temp)
}

// TestBuildLeavesNoFile: the program can be read after its name is gone.
func TestBuildLeavesNoFile(t *testing.T) {
	needCompiler(t)
	compiler, _ := findCompiler()
	temp := tempDir(t)
	program, err := build(context.Background(), compiler)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	wantEmpty(t, temp)
	magic := make([]byte, 4)
	if _, err := io.ReadFull(program, magic); err != nil || string(magic) != "\x7fELF" {
		t.Errorf("the program begins with %q, %v", magic, err)
	}
}

// TestNoWarnings: the program is clean under the compiler's usual warnings.
func TestNoWarnings(t *testing.T) {
	needCompiler(t)
	compiler, _ := findCompiler()
	out := filepath.Join(t.TempDir(), "c2c")
	if err := compile(context.Background(), compiler, "testdata", out, "-Wall", "-Wextra", "-Werror"); err != nil {
		t.Error(err)
	}
}
