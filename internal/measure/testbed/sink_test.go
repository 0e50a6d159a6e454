package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestSame: a file is the same under all its names, and so is standard output; only the null device may be written
// twice.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	testrun.OK(t, os.WriteFile("out", nil, 0o666))
	testrun.OK(t, os.Link("out", "other"))
	testrun.OK(t, os.Symlink(dir, "here"))
	for _, c := range []struct {
		one, two string
		want     bool
	}{
		{"new", dir + "/./new", true}, {"new", "new2", false}, {"new", "out", false}, {"out", "other", true},
		{"new", "here/new", true},
		{"/dev/stdout", "", true}, {"out", "", false}, {os.DevNull, os.DevNull, false},
	} {
		one, err := NewSink(c.one)
		testrun.OK(t, err)
		two := Stdout(&strings.Builder{})
		if c.two != "" {
			two, err = NewSink(c.two)
			testrun.OK(t, err)
		}
		if one.Same(two) != c.want || two.Same(one) != c.want || one.Same(nil) {
			t.Errorf("%q and %q: same %v, want %v", c.one, c.two, !c.want, c.want)
		}
	}
}

func TestSinkReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	testrun.OK(t, os.WriteFile(target, []byte("old"), 0o666))
	testrun.OK(t, os.Symlink(target, link))
	for _, text := range []string{"new", "made"} {
		k, err := NewSink(link)
		testrun.OK(t, err)
		if text == "new" {
			testrun.Same(t, "old", testrun.Read(t, target), "before commit the file")
		}
		testrun.OK(t, k.Commit([]byte(text)))
		info, err := os.Lstat(link)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link was replaced: %v, %v", info, err)
		}
		testrun.Same(t, text, testrun.Read(t, target), "after commit the file")
		if text == "new" { // the next commit makes the target of the link
			testrun.OK(t, os.Remove(target))
		}
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

// TestSinkWritesFilesWithoutNames: a link of /proc to a file that was removed is written through, not replaced.
func TestSinkWritesFilesWithoutNames(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "gone"))
	testrun.OK(t, err)
	defer f.Close()
	testrun.OK(t, os.Remove(f.Name()))
	link := filepath.Join(t.TempDir(), "link")
	testrun.OK(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), link))
	if _, err := os.Stat(link); err != nil {
		t.Skip("this system has no /proc/self/fd")
	}
	k, err := NewSink(link)
	testrun.OK(t, err)
	testrun.OK(t, k.Commit([]byte("x")))
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, 0); err != nil || b[0] != 'x' {
		t.Errorf("the file has %q, %v", b, err)
	}
}
