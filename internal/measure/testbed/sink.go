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
	name    string    // as given, for errors; "" for standard output
	path    string    // absolute, of the file behind a symbolic link
	replace bool      // path is, or will be, a regular file
	out     io.Writer // standard output; nil for a file
}

// Stdout returns the sink of the standard output.
func Stdout(out io.Writer) *Sink { return &Sink{path: "/dev/stdout", out: out} }

// NewSink checks that path can be written, before anything runs. An error says what is wrong with path, and does not
// name it.
func NewSink(path string) (*Sink, error) {
	k := &Sink{name: path, path: path}
	if strings.HasSuffix(path, "/") {
		return k, errors.New("must be a file, not a directory")
	}
	target, unnamed := filepath.EvalSymlinks(path)
	if k.path = target; unnamed != nil {
		k.path = linked(path)
	}
	if whole, err := filepath.Abs(k.path); err == nil {
		k.path = whole
	}
	switch info, err := os.Stat(k.path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return k, fmt.Errorf("must be a file that can be written: %w", report.Bare(err))
	case info.IsDir():
		return k, errors.New("must be a file, not a directory")
	case !info.Mode().IsRegular() || unnamed != nil: // a device, a pipe, or a file that has no name
		return k, nil
	}
	k.replace = true
	probe, err := k.open()
	if err != nil {
		return k, fmt.Errorf("must be a file in a directory that can be written: %w", report.Bare(err))
	}
	return k, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// linked follows links to a file that is not there yet, and those in the path of its directory.
func linked(path string) string {
	for range 40 { // as many as Linux follows
		_, missing := os.Stat(path)
		target, err := os.Readlink(path)
		if err != nil || !errors.Is(missing, fs.ErrNotExist) {
			break
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		path = target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Name returns the file's name as given; "" for standard output, and for nil.
func (k *Sink) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Same reports whether two sinks write one file. It is false for the null device, and if either is nil.
func (k *Sink) Same(other *Sink) bool { return other != nil && k.Is(other.path) }

// Is reports whether the sink writes the file of a path. It is false for the null device, and for nil.
func (k *Sink) Is(path string) bool {
	if k == nil || k.path == os.DevNull {
		return false
	}
	one, err1 := os.Stat(k.path)
	two, err2 := os.Stat(path)
	if err1 != nil || err2 != nil {
		return k.path == path
	}
	return os.SameFile(one, two)
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

// Commit writes the results.
func (k *Sink) Commit(results []byte) error {
	return k.Stream(func(w io.Writer) error {
		_, err := w.Write(results)
		return err
	})
}

// Stream is Commit for the output of write. Its error names the file. On nil it does nothing.
func (k *Sink) Stream(write func(io.Writer) error) error {
	switch {
	case k == nil:
		return nil
	case k.out != nil:
		return write(k.out)
	}
	if err := k.fill(write); err != nil {
		return fmt.Errorf("%s: %w", report.Plain(k.name), report.Bare(err))
	}
	return nil
}

func (k *Sink) fill(write func(io.Writer) error) error {
	f, err := k.open()
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if !k.replace {
		return err
	}
	if err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// open opens a device or a pipe, or makes a new file beside path, with the mode that the umask leaves.
func (k *Sink) open() (*os.File, error) {
	if !k.replace {
		return os.OpenFile(k.path, os.O_WRONLY|os.O_TRUNC, 0)
	}
	name := filepath.Join(filepath.Dir(k.path), fmt.Sprintf(".ocrbench-%016x.tmp", rand.Uint64()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
