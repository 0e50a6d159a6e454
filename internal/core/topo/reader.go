package topo

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/sizes"
)

// reader reads small files and collects warnings about them. A missing file is no warning by itself: the caller
// decides.
type reader struct {
	root     fs.FS
	warnings []string
	missing  []missing
}

// missing is a warning and the CPUs that it is about.
type missing struct {
	what string
	cpus []int
}

func (r *reader) warn(text string) { r.warnings = append(r.warnings, text) }

func (r *reader) miss(what string, cpu int) {
	for i := range r.missing {
		if r.missing[i].what == what {
			r.missing[i].cpus = append(r.missing[i].cpus, cpu)
			return
		}
	}
	r.missing = append(r.missing, missing{what, []int{cpu}})
}

func (r *reader) allWarnings() []string {
	all := r.warnings
	for _, m := range r.missing {
		all = append(all, named(m.cpus)+": "+m.what)
	}
	return all
}

// text returns the contents of a file without leading and trailing space.
func (r *reader) text(name string) (string, bool) {
	data, err := fs.ReadFile(r.root, name)
	if err != nil {
		return "", false
	}
	return strings.TrimSpace(string(data)), true
}

func (r *reader) number(name string) (int, bool) { return parsed(r, name, strconv.Atoi) }

func (r *reader) list(name string) ([]int, bool) { return parsed(r, name, cpulist.Parse) }

func (r *reader) size(name string) (uint64, bool) { return parsed(r, name, parseSize) }

// parsed reads a file and parses it. A file that exists but cannot be parsed makes a warning.
func parsed[T any](r *reader, name string, parse func(string) (T, error)) (value T, ok bool) {
	text, found := r.text(name)
	if !found {
		return value, false
	}
	value, err := parse(text)
	if err != nil {
		r.warn(fmt.Sprintf("/%s ignored: %v", name, err))
		return value, false
	}
	return value, true
}

// parseSize returns the bytes of a cache size as sysfs writes it, such as 48K.
func parseSize(s string) (uint64, error) {
	n, err := sizes.Parse(strings.NewReplacer("K", "KiB", "M", "MiB", "G", "GiB").Replace(s))
	if err != nil {
		return 0, errors.New("want a size such as 48K, got " + strconv.Quote(s))
	}
	return uint64(n), nil
}
