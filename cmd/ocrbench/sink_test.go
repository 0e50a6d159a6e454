package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes holds that a pipe without a reader is refused at once, and that one with
// a reader gets the results and then ends.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	wantUsage(t, noEnv, []string{"c2c", "-o", path}, "-o "+path+": must be a file, or a pipe that somebody reads already")
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	k, err := newSink(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.commit([]byte("results\n")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 100)
	n, err := reader.Read(got)
	if string(got[:n]) != "results\n" || err != nil {
		t.Errorf("the reader got %q, %v", got[:n], err)
	}
	if n, err := reader.Read(got); n != 0 || err == nil {
		t.Errorf("after the results the reader got %d bytes, %v, want the end", n, err)
	}
}

// TestSameFile holds that two spellings of one file are seen as one, and that
// devices may be named twice.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(dir, filepath.Join(dir, "here")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(path string) *sink {
		k, err := newSink(path, nil)
		if err != nil {
			t.Fatal(err)
		}
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
		if got := open(c.one).same(open(c.two)); got != c.want {
			t.Errorf("%q and %q: same is %v", c.one, c.two, got)
		}
	}
	if open(dir+"/new").same(nil) || (*sink)(nil).same(open(dir+"/new")) {
		t.Error("a file that was not asked for is the same as another")
	}
}
