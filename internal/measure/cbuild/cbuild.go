// Package cbuild compiles, on demand, the programs in C and C++ that are embedded in this program:
//
//	file, err := cbuild.Program{Name: "c2c", Files: sources, Main: "c2c.c", Compiler: "cc"}.Build(ctx)
//	cmd := exec.Command(cbuild.Path(file))
//
// No file outlives the compilation. A process that ends later, in whatever way, leaves no file behind.
package cbuild

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"time"
)

// Program is a program to compile.
type Program struct {
	Name      string
	Files     fs.FS  // the sources
	Main      string // the source to compile; the compiler runs in its directory
	Compiler  string
	Flags     []string // the compiler's arguments before the source
	Libraries []string // the compiler's arguments after the source
}

// Build compiles the program in a directory of its own and removes the directory: what is left is an open file without
// a name, which only Linux can run.
func (p Program) Build(ctx context.Context) (*os.File, error) {
	if goruntime.GOOS != "linux" {
		return nil, fmt.Errorf("its program is for linux only, this is %s", goruntime.GOOS)
	}
	dir, err := os.MkdirTemp("", "ocr-"+p.Name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, p.Files); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, filepath.FromSlash(p.Main))
	args := slices.Concat(p.Flags, []string{"-o", p.Name, filepath.Base(source)}, p.Libraries)
	cmd := exec.CommandContext(ctx, p.Compiler, args...)
	cmd.Dir = filepath.Dir(source)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	cmd.WaitDelay = time.Second // the compiler's own children hold its output open
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", p.Compiler, err, Complaint(out))
	}
	return os.Open(filepath.Join(cmd.Dir, p.Name))
}

// Path returns the path by which this process and its children run a compiled program.
func Path(file *os.File) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd()) }

// Complaint returns the first line of a program's output that names an error, or else its first line.
func Complaint(out []byte) string {
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
