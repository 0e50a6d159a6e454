// Package cbuild compiles programs in C and C++ that are part of this one, when they are needed:
//
//	file, err := cbuild.Program{Name: "c2c", Files: sources, Main: "c2c.c", Compilers: []string{"gcc", "cc"}}.Build(ctx)
//	cmd := exec.Command(cbuild.Path(file))
//
// No file outlives the compilation, so nothing is left behind however this process ends.
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
	"slices"
	"strings"
	"time"
)

// Program is one to compile.
type Program struct {
	Name      string
	Files     fs.FS    // the sources
	Main      string   // the one that is compiled; the compiler runs in its directory
	Compilers []string // the first of these that is on PATH compiles it
	Flags     []string // the compiler's arguments before the source
	Libraries []string // and behind it
}

// Compiler returns the path of the compiler, or says that there is none.
func (p Program) Compiler() (string, error) {
	for _, name := range p.Compilers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no " + strings.Join(p.Compilers, " or ") + " on PATH")
}

// Build compiles the program in a directory of its own and removes that: what is left is an
// open file whose name is gone.
func (p Program) Build(ctx context.Context) (*os.File, error) {
	compiler, err := p.Compiler()
	if err != nil {
		return nil, err
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
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = filepath.Dir(source)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	cmd.WaitDelay = time.Second // the compiler's own children hold its output open
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", compiler, err, Complaint(out))
	}
	return os.Open(filepath.Join(cmd.Dir, p.Name))
}

// Path returns the path that this process and its children run a compiled program by.
func Path(file *os.File) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd()) }

// Complaint returns the first line of what a program said that names an error, else its first line.
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
