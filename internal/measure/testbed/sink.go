package testbed

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"ocr/internal/show/report"
)

// Sink is where results go: standard output, or a file that Commit replaces in one step.
type Sink struct {
	name    string      // as given, for errors
	path    string      // empty: out
	replace bool        // path is, or will be, a regular file
	mode    fs.FileMode // of the file that is replaced; 0 if there is none
	out     io.Writer
	pipe    *os.File // path is a pipe, which stays open so that its reader does not see its end
}

// NewSink checks that path can be written, before anything runs. An empty path and "-" are standard output. An error
// says what is wrong with path, and does not name it.
func NewSink(path string, out io.Writer) (*Sink, error) {
	if path == "" || path == "-" {
		return &Sink{out: out}, nil
	}
	k := &Sink{name: path, replace: true}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	k.path = path
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("must be a file that can be written: %w", bare(err))
	case info.IsDir():
		return nil, errors.New("must be a file, not a directory")
	case info.Mode().IsRegular():
		k.mode = info.Mode().Perm()
	case info.Mode()&fs.ModeNamedPipe != 0:
		k.replace = false
		k.pipe, err = openPipe(path)
		return k, err
	default: // a device
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

// openPipe opens a pipe to write. It does not wait for a reader, which may never come.
func openPipe(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ENXIO):
		return nil, errors.New("must be a file, or a pipe that has a reader")
	case err != nil:
		return nil, fmt.Errorf("must be a pipe that can be written: %w", bare(err))
	}
	return f, nil
}

// Same reports whether two sinks would write one file: one that is there, or one of the same name. A device holds what
// both write only if it is the standard output, as a terminal. Either may be nil.
func (k *Sink) Same(other *Sink) bool {
	if k == nil || other == nil {
		return false
	}
	one, two := k.info(), other.info()
	if one != nil && two != nil {
		null, err := os.Stat(os.DevNull)
		isNull := err == nil && os.SameFile(one, null)
		apart := one.Mode()&fs.ModeCharDevice != 0 && (isNull || k.path != "" && other.path != "")
		return os.SameFile(one, two) && !apart
	}
	if !k.replace || !other.replace || filepath.Base(k.path) != filepath.Base(other.path) {
		return false
	}
	one, err1 := os.Stat(filepath.Dir(k.path))
	two, err2 := os.Stat(filepath.Dir(other.path))
	return errors.Join(err1, err2) == nil && os.SameFile(one, two)
}

// info returns the file that is there, nil if there is none.
func (k *Sink) info() fs.FileInfo {
	if k.path != "" {
		info, err := os.Stat(k.path)
		if err != nil {
			return nil
		}
		return info
	}
	out, isFile := k.out.(interface{ Stat() (fs.FileInfo, error) })
	if !isFile {
		return nil
	}
	info, err := out.Stat()
	if err != nil {
		return nil
	}
	return info
}

// File returns the path of a regular file, "" if results go somewhere else.
func (k *Sink) File() string {
	if !k.replace {
		return ""
	}
	return k.path
}

// Drawn reports whether its name asks for a picture: it ends in .svg.
func (k *Sink) Drawn() bool { return k != nil && strings.EqualFold(filepath.Ext(k.name), ".svg") }

// Pipe reports whether results would go to a pipe, and closes that: it is not used.
func (k *Sink) Pipe() bool { return k.pipe != nil && k.pipe.Close() == nil }

// Commit writes the results, once.
func (k *Sink) Commit(results []byte) error {
	return k.Stream(func(w io.Writer) error {
		_, err := w.Write(results)
		return err
	})
}

// Stream is Commit of what write writes. Its error names the file. On nil it does nothing.
func (k *Sink) Stream(write func(io.Writer) error) error {
	if k == nil {
		return nil
	}
	if k.path == "" {
		return write(k.out)
	}
	if err := k.fill(write); err != nil {
		return fmt.Errorf("%s: %w", report.Plain(k.name), bare(err))
	}
	return nil
}

// fill writes the file.
func (k *Sink) fill(write func(io.Writer) error) error {
	if k.pipe != nil {
		return errors.Join(write(k.pipe), k.pipe.Close())
	}
	if !k.replace {
		f, err := os.OpenFile(k.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := k.temp()
	if err != nil {
		return err
	}
	err = write(f)
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
func (k *Sink) temp() (*os.File, error) {
	name := filepath.Join(filepath.Dir(k.path), fmt.Sprintf(".ocrbench-%016x.tmp", rand.Uint64()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// bare drops the operation and path from a file error: the path may be a temporary one.
func bare(err error) error {
	var at *fs.PathError
	var linked *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &linked):
		return linked.Err
	}
	return err
}
