package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// sink is where results go: standard output, or a file that is replaced in one
// step by commit and not touched before.
type sink struct {
	path    string      // empty: out
	replace bool        // path is, or will be, a regular file
	mode    fs.FileMode // of the file that is replaced; 0 where there is none
	out     io.Writer
}

// newSink checks that path can be written, so that a run is not made in vain.
// An empty path and "-" are standard output. Its errors say what is wrong with
// path, which they do not name.
func newSink(path string, out io.Writer) (*sink, error) {
	if path == "" || path == "-" {
		return &sink{out: out}, nil
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	k := &sink{path: path, replace: true}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("must be a file that can be written: %w", bare(err))
	case info.IsDir():
		return nil, errors.New("must be a file, not a directory")
	case info.Mode().IsRegular():
		k.mode = info.Mode().Perm()
	default: // a device or a pipe
		k.replace = false
	}
	if !k.replace {
		return k, nil
	}
	probe, err := k.temp()
	if err != nil {
		return nil, fmt.Errorf("must be a file in a directory that can be written: %w", bare(err))
	}
	probe.Close()
	return k, os.Remove(probe.Name())
}

// commit writes the results.
func (k *sink) commit(results []byte) error {
	if k.path == "" {
		_, err := k.out.Write(results)
		return err
	}
	if !k.replace {
		return os.WriteFile(k.path, results, 0o666)
	}
	f, err := k.temp()
	if err != nil {
		return err
	}
	_, err = f.Write(results)
	if k.mode != 0 {
		err = errors.Join(err, f.Chmod(k.mode))
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// temp makes a new file beside path, with the mode that the umask leaves.
func (k *sink) temp() (*os.File, error) {
	name := filepath.Join(filepath.Dir(k.path), fmt.Sprintf(".ocrbench-%016x.tmp", rand.Uint64()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// bare drops the operation and path from a file error.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
