package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
)

// maxSize bounds what is read of a file, in bytes: some ten million samples.
const maxSize = 256 << 20

// File is what a result file says.
type File struct {
	Path     string
	Facts    []Fact   // machine, build and configuration, in the order of the file
	Notes    []string // why its figures should be read with care; each begins with a verb
	Series   []Series // in the order of the file
	ocrbench bool     // it was written by ocrbench: all facts are there
}

// Fact is something about the machine, the build or the configuration.
type Fact struct {
	Kind  string // "machine", "build" or "config"
	Key   string // lower case
	Value string // one line, not empty
}

// Series are the samples of one unit of one result.
type Series struct {
	Name, Unit string
	Better     Better
	Samples    []float64 // finite, at least one
}

// Read reads a file of either format. Errors are one line that says what is wrong
// with the file, without its name.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, bare(err)
	}
	if info.IsDir() {
		return nil, errors.New("is a directory, not a result file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, bare(err)
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("is larger than %d MiB, no result file", maxSize>>20)
	}
	file, err := Parse(data)
	if err != nil {
		return nil, err
	}
	file.Path = oneLine(path)
	return file, nil
}

// Parse reads the contents of a file of either format.
func Parse(data []byte) (*File, error) {
	switch text := bytes.TrimSpace(data); {
	case len(text) == 0:
		return nil, errors.New("is empty")
	case text[0] == '{':
		return parseJSON(text)
	}
	return parseText(data)
}

// bare drops the operation and path from a file error.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// checkWord refuses a name or unit that would spoil a line.
func checkWord(what, word string) error {
	if word == "" {
		return fmt.Errorf("a %s is empty", what)
	}
	for _, r := range word {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || unicode.IsSpace(r) {
			return fmt.Errorf("%s %.60q has characters that do not print", what, word)
		}
	}
	return nil
}

// oneLine makes one printable line of any text.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
