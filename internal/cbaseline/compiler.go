package cbaseline

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"sync"
	"time"
)

//go:embed testdata/c2c.c testdata/kernels.h
var sources embed.FS

const mainSource = "c2c.c"

// flags are the compiler's arguments before the output and the source.
var flags = []string{"-std=gnu11", "-O3", "-pthread"}

// findCompiler returns the path of the compiler, or why the baseline cannot be had here.
func findCompiler() (string, error) {
	if goruntime.GOOS != "linux" {
		return "", fmt.Errorf("cbaseline: threads are pinned on linux only, this is %s", goruntime.GOOS)
	}
	for _, name := range []string{"gcc", "cc"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("cbaseline: no gcc or cc on PATH")
}

// program is the compiled program, once for the process: an open file whose name
// is gone, so that there is nothing to remove at the end.
//
// Concurrency: the mutex guards file; it is held while compiling.
var program struct {
	sync.Mutex
	file *os.File
}

// Prepare compiles the program, unless this process has done so before. That takes about half a
// second.
func Prepare(ctx context.Context) error {
	_, err := executable(ctx)
	return err
}

// executable returns the path that this process and its children run the
// program by.
func executable(ctx context.Context) (string, error) {
	program.Lock()
	defer program.Unlock()
	if program.file == nil {
		compiler, err := findCompiler()
		if err != nil {
			return "", err
		}
		if program.file, err = build(ctx, compiler); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("/proc/self/fd/%d", program.file.Fd()), nil
}

// build compiles the program in a directory of its own and removes that.
func build(ctx context.Context, compiler string) (*os.File, error) {
	dir, err := os.MkdirTemp("", "ocr-c2c-")
	if err != nil {
		return nil, fmt.Errorf("cbaseline: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, sources); err != nil {
		return nil, fmt.Errorf("cbaseline: %w", err)
	}
	binary := filepath.Join(dir, "c2c")
	if err := compile(ctx, compiler, filepath.Join(dir, "testdata"), binary); err != nil {
		return nil, err
	}
	file, err := os.Open(binary)
	if err != nil {
		return nil, fmt.Errorf("cbaseline: %w", err)
	}
	return file, nil
}

// compile runs the compiler in dir, where it also keeps its temporary files.
func compile(ctx context.Context, compiler, dir, binary string, more ...string) error {
	args := slices.Concat(flags, more, []string{"-o", binary, mainSource})
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	cmd.WaitDelay = time.Second // the compiler's own children hold its output open
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("cbaseline: %s: %w: %s", compiler, err, complaint(out))
	}
	return nil
}

// complaint returns the first line of what a program said that names an error,
// else its first line.
func complaint(out []byte) string {
	first, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	for line := range bytes.Lines(out) {
		if bytes.Contains(line, []byte("error")) {
			first = line
			break
		}
	}
	if len(first) == 0 {
		return "no message"
	}
	return string(bytes.TrimSpace(first))
}
