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

	"ocr/internal/show/report"
)

// Sink is a destination of results: standard output, or a file that Commit replaces in one step.
type Sink struct {
	name    string      // as given, for errors
	path    string      // empty: out
	replace bool        // path is, or will be, a regular file
	mode    fs.FileMode // of the file that is replaced; 0 if there is none
	out     io.Writer
}

// Stdout returns the sink of the standard output.
func Stdout(out io.Writer) *Sink { return &Sink{out: out} }

// NewSink checks that path can be written, before anything runs. An error says what is wrong with path, and does not
// name it.
func NewSink(path string) (*Sink, error) {
	k := &Sink{name: path, path: path}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		k.path = target
	}
	switch info, err := os.Stat(k.path); {
	case errors.Is(err, fs.ErrNotExist):
		k.replace = true
	case err != nil:
		return k, fmt.Errorf("must be a file that can be written: %w", bare(err))
	case info.IsDir():
		return k, errors.New("must be a file, not a directory")
	case info.Mode().IsRegular():
		k.replace, k.mode = true, info.Mode().Perm()
	default: // a device or a pipe
		return k, nil
	}
	probe, err := k.temp()
	if err != nil {
		return k, fmt.Errorf("must be a file in a directory that can be written: %w", bare(err))
	}
	return k, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Name returns the file's name as given; "" for standard output, and for nil.
func (k *Sink) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Same reports whether two sinks would write one file: an existing file, or one with the same name. Two may share a
// character device, unless one is the standard output, such as a terminal; the null device always. Either may be nil.
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

// info returns the existing file, nil if there is none.
func (k *Sink) info() fs.FileInfo {
	stat := func() (fs.FileInfo, error) { return os.Stat(k.path) }
	if k.path == "" {
		out, isFile := k.out.(interface{ Stat() (fs.FileInfo, error) })
		if !isFile {
			return nil
		}
		stat = out.Stat
	}
	if info, err := stat(); err == nil {
		return info
	}
	return nil
}

// File returns the path of a regular file, "" for other destinations.
func (k *Sink) File() string {
	if !k.replace {
		return ""
	}
	return k.path
}

// Drawn reports whether the name asks for a picture: it ends in .svg.
func (k *Sink) Drawn() bool { return k != nil && strings.EqualFold(filepath.Ext(k.name), ".svg") }

// Commit writes the results, once.
func (k *Sink) Commit(results []byte) error {
	return k.Stream(func(w io.Writer) error {
		_, err := w.Write(results)
		return err
	})
}

// Stream is Commit for the output of write. Its error names the file. On nil it does nothing.
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
