package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestSame: a file, a pipe or a device is the same under all its names, and so is standard output; only the null device
// may be written twice.
func TestSame(t *testing.T) {
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
	testrun.OK(t, os.Symlink(dir, filepath.Join(dir, "here")))
	open := func(path string) *Sink {
		k, err := NewSink(path)
		testrun.OK(t, err)
		return k
	}
	for _, c := range []struct {
		one  *Sink
		path string
		want bool
	}{
		{open(dir + "/new"), dir + "/here/new", true},
		{open(dir + "/out"), dir + "/here/out", true},
		{open(dir + "/new"), dir + "/new2", false},
		{open(os.DevNull), os.DevNull, false},
		{open(name(w)), name(w), true},
		{Stdout(w), name(w), true},
		{Stdout(w), name(redirected), false},
		{Stdout(redirected), redirected.Name(), true},
		{Stdout(redirected), dir + "/other", true},
		{Stdout(redirected), name(redirected), true},
		{Stdout(redirected), dir + "/new", false},
		{Stdout(null), os.DevNull, false},
		{nil, dir + "/new", false},
	} {
		testrun.Same(t, c.want, open(c.path).Same(c.one), "%q and %s: same", c.one.Name(), c.path)
	}
}

func TestSinkReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	testrun.OK(t, os.WriteFile(target, []byte("old"), 0o640))
	testrun.OK(t, os.Symlink(target, link))
	k, err := NewSink(link)
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
	k, err := NewSink(os.DevNull)
	testrun.OK(t, err)
	testrun.OK(t, k.Commit([]byte("x")))
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the device was replaced: %v, %v", info, err)
	}
}
