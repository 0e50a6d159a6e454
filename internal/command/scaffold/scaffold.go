// Package scaffold writes a module with one app, its tests and its command: the start of a user's own program.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
)

// files are what a module has beside go.mod and go.sum. APP stands for the app's name.
//
//go:embed module
var files embed.FS

// Name says what names of apps are allowed: they are parts of paths, results and template names.
const Name = "a letter a-z, then letters, digits, - or _, 40 at most, but no device of Windows, as aux or com1"

var (
	name   = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)
	device = regexp.MustCompile(`^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`) // Go refuses it in the path of a module
)

// IsName reports whether s is allowed as the name of an app.
func IsName(s string) bool { return name.MatchString(s) && !device.MatchString(s) }

// Source returns the source tree from which this program was built, "" if it is not found.
func Source() string {
	_, file, _, _ := goruntime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..")
	if !filepath.IsAbs(file) || IsSource(root) != nil {
		return ""
	}
	return root
}

// IsSource returns an error unless a directory holds the source of this runtime.
func IsSource(dir string) error {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module ocr\n") {
		return errors.New("must be a directory with the source of module ocr")
	}
	return nil
}

// Write makes a directory that holds a module example/APP, which uses the runtime of a source tree. It returns the
// names of the files. If it fails it leaves no directory.
func Write(dir, app, source string) (names []string, err error) {
	source, err = filepath.Abs(source)
	mod, noMod := os.ReadFile(filepath.Join(source, "go.mod"))
	sum, noSum := os.ReadFile(filepath.Join(source, "go.sum"))
	if err := errors.Join(err, noMod, noSum); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	write := func(name string, text []byte) {
		names = append(names, name)
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	write("go.mod", goMod(app, source, string(mod)))
	write("go.sum", sum)
	entries, _ := files.ReadDir("module") // what is embedded is there
	for _, e := range entries {
		text, _ := files.ReadFile("module/" + e.Name())
		write(strings.TrimSuffix(e.Name(), ".txt"), bytes.ReplaceAll(text, []byte("APP"), []byte(app)))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return names, nil
}

// used are the modules that a written module needs, for the packages that it and its tests import.
var used = strings.Fields(`github.com/aclements/go-moremath github.com/google/go-cmp github.com/google/uuid
	github.com/inconshreveable/mousetrap github.com/spf13/cobra github.com/spf13/pflag go.uber.org/multierr
	go.uber.org/zap golang.org/x/perf golang.org/x/sys`)

// goMod makes a go.mod from that of the runtime: with the same Go, and the same versions of the modules in used, so
// that the go command need not look them up.
func goMod(app, source, mod string) []byte {
	if strings.ContainsAny(source, " \t\"'`()[]{},;=>") || strings.Contains(source, "//") {
		source = strconv.Quote(source)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module example/%s\n", app)
	needs := ""
	for line := range strings.Lines(mod) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "go":
			fmt.Fprintf(&b, "\ngo %s\n", words[1])
		case len(words) > 1 && slices.Contains(used, words[0]):
			needs += fmt.Sprintf("\t%s %s // indirect\n", words[0], words[1])
		}
	}
	fmt.Fprintf(&b, "\nrequire ocr v0.0.0\n\nreplace ocr => %s\n\nrequire (\n%s)\n", source, needs)
	return []byte(b.String())
}
