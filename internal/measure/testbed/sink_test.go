package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestSameFile holds that two spellings of one file are seen as one, and that devices may be named twice.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(dir, filepath.Join(dir, "here")); err != nil {
		t.Skipf("no symbolic link can be made here: %v", err)
	}
	testrun.OK(t, os.WriteFile(filepath.Join(dir, "old"), nil, 0o600))
	open := func(path string) *Sink {
		k, err := NewSink(path)
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
		out := Stdout(c.out)
		file, err := NewSink(c.path)
		testrun.OK(t, err)
		testrun.Same(t, c.want, file.Same(out), "%s and the standard output %s: same", c.path, c.out.Name())
		if c.out == w && c.want {
			again, err := NewSink(c.path)
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
