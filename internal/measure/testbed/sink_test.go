package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestPipes holds that a pipe without a reader is refused at once, and that one with
// a reader gets the results and then ends.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipe can be made here: %v", err)
	}
	if _, err := NewSink(path, nil); err == nil || err.Error() != "must be a file, or a pipe that has a reader" {
		t.Errorf("without a reader: %v", err)
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	testrun.OK(t, err)
	defer reader.Close()
	k, err := NewSink(path, nil)
	testrun.OK(t, err)
	testrun.OK(t, k.Commit([]byte("results\n")))
	got := make([]byte, 100)
	n, err := reader.Read(got)
	if string(got[:n]) != "results\n" || err != nil {
		t.Errorf("the reader got %q, %v", got[:n], err)
	}
	if n, err := reader.Read(got); n != 0 || err == nil {
		t.Errorf("after the results the reader got %d bytes, %v, want the end", n, err)
	}
}

// TestSameFile holds that two spellings of one file are seen as one, and that devices may be named twice.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(dir, filepath.Join(dir, "here")); err != nil {
		t.Skipf("no symbolic link can be made here: %v", err)
	}
	testrun.OK(t, os.WriteFile(filepath.Join(dir, "old"), nil, 0o600))
	open := func(path string) *Sink {
		k, err := NewSink(path, nil)
		testrun.OK(t, err)
		return k
	}
	for _, c := range []struct {
		one, two string
		want     bool
	}{
		{dir + "/new", dir + "/here/new", true},
		{dir + "/old", dir + "/here/old", true},
		{dir + "/new", dir + "/new2", false},
		{os.DevNull, os.DevNull, false},
		{"", "", false},
	} {
		testrun.Same(t, c.want, open(c.one).Same(open(c.two)), "%q and %q: same", c.one, c.two)
	}
	if open(dir+"/new").Same(nil) || (*Sink)(nil).Same(open(dir+"/new")) {
		t.Error("a file that was not asked for is the same as another")
	}
}

// TestSameOutput: a pipe or device that is there is one file under all its names, and the standard output is one too.
func TestSameOutput(t *testing.T) {
	r, w, err := os.Pipe()
	testrun.OK(t, err)
	defer r.Close()
	defer w.Close()
	dir := t.TempDir()
	redirected, err := os.Create(filepath.Join(dir, "out"))
	testrun.OK(t, err)
	defer redirected.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	testrun.OK(t, err)
	defer null.Close()
	name := func(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
	if _, err := os.Stat(name(w)); err != nil {
		t.Skipf("open files have no names here: %v", err)
	}
	testrun.OK(t, os.Link(redirected.Name(), filepath.Join(dir, "other")))
	for _, c := range []struct {
		out  *os.File
		path string
		want bool
	}{
		{w, name(w), true},
		{w, name(redirected), false},
		{redirected, redirected.Name(), true},
		{redirected, filepath.Join(dir, "other"), true},
		{redirected, name(redirected), true},
		{redirected, filepath.Join(dir, "new"), false},
		{null, os.DevNull, false},
	} {
		out, err := NewSink("-", c.out)
		testrun.OK(t, err)
		file, err := NewSink(c.path, nil)
		testrun.OK(t, err)
		testrun.Same(t, c.want, file.Same(out), "%s and the standard output %s: same", c.path, c.out.Name())
		if c.out == w && c.want {
			again, err := NewSink(c.path, nil)
			testrun.OK(t, err)
			testrun.Same(t, true, file.Same(again), "%s twice: same", c.path)
		}
	}
}

func TestSinkReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	testrun.OK(t, os.WriteFile(target, []byte("old"), 0o640))
	testrun.OK(t, os.Symlink(target, link))
	k, err := NewSink(link, nil)
	testrun.OK(t, err)
	testrun.Same(t, "old", testrun.Read(t, target), "before commit the file")
	testrun.OK(t, k.Commit([]byte("new")))
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	testrun.Same(t, "new", testrun.Read(t, target), "after commit the file")
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the old file: %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d files are left, want target and link: %v", len(entries), err)
	}
}

func TestSinkWritesDevices(t *testing.T) {
	k, err := NewSink(os.DevNull, nil)
	testrun.OK(t, err)
	testrun.OK(t, k.Commit([]byte("x")))
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the device was replaced: %v, %v", info, err)
	}
}
