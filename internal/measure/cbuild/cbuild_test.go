package cbuild

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"ocr/internal/proof/testrun"
)

// answer is a program in C, in a directory.
var answer = Program{
	Name: "answer", Main: "src/answer.c", Compiler: "cc", Flags: []string{"-O1"},
	Libraries: []string{"-lm"},
	Files: fstest.MapFS{
		"src/answer.c": {Data: []byte("#include <math.h>\n#include \"n.h\"\n" +
			"int main(int argc, char **argv) { (void)argv; return (int)cbrt(N * argc); }\n")},
		"src/n.h": {Data: []byte("#define N 27.5\n")},
	},
}

// fakeCompiler puts a shell script on PATH as the only compiler.
func fakeCompiler(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	testrun.OK(t, os.WriteFile(filepath.Join(dir, "cc"), []byte("#!/bin/sh\n"+script), 0o755))
	t.Setenv("PATH", dir)
}

// tempDir sets TMPDIR to a new, empty directory.
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

func TestCompiler(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := answer.Build(t.Context())
	testrun.Fails(t, err, `exec: "cc": executable file not found in $PATH`)
}

func TestCompileFailure(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"first error", "echo 'answer.c: In function main:'\necho 'answer.c:1:1: error: no such thing' >&2\nexit 1\n",
			"cc: exit status 1: answer.c:1:1: error: no such thing"},
		{"first line", "echo something >&2\necho else >&2\nexit 2\n", "cc: exit status 2: something"},
		{"silent", "exit 3\n", "cc: exit status 3: no message"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fakeCompiler(t, tt.script)
			temp := tempDir(t)
			if _, err := answer.Build(context.Background()); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("Build() = %v, want an error that ends in %q", err, tt.want)
			}
			wantEmpty(t, temp)
		})
	}
}

// TestBuildIsCancelled: a compiler that hangs is killed with the context.
func TestBuildIsCancelled(t *testing.T) {
	fakeCompiler(t, "kill -STOP $$\n")
	temp := tempDir(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	_, err := answer.Build(ctx)
	testrun.Is(t, err, cause, "Build()")
	wantEmpty(t, temp)
}

// TestBuildLeavesNoFile: the program runs after its name is gone.
func TestBuildLeavesNoFile(t *testing.T) {
	if _, err := exec.LookPath(answer.Compiler); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	temp := tempDir(t)
	program, err := answer.Build(context.Background())
	testrun.OK(t, err)
	defer program.Close()
	wantEmpty(t, temp)
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skipf("no /proc to run it by: %v", err)
	}
	var exit *exec.ExitError
	if err := exec.Command(Path(program)).Run(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the program ended with %v, want exit status 3", err)
	}
}
