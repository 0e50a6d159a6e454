package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// maxSize is the greatest size of a file that is read, in bytes: some ten million samples.
const maxSize = 256 << 20

// Read reads a document from a file. An error is one line that says what is wrong with the file, without its name.
func Read(path string) (*Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Bare(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	switch {
	case errors.Is(err, syscall.EISDIR):
		return nil, errors.New("is a directory, not a result file")
	case err != nil:
		return nil, Bare(err)
	case len(data) > maxSize:
		return nil, fmt.Errorf("is larger than %d MiB, no result file", maxSize>>20)
	}
	d, err := Parse(data)
	if err != nil {
		return nil, err
	}
	d.Path = path
	return d, nil
}

// Bare drops the operation and the path from an error of a file or a program: the path may be a temporary one, or the
// caller names it.
func Bare(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	var program *exec.Error
	switch {
	case errors.As(err, &program):
		return Bare(program.Err)
	case errors.As(err, &file):
		return file.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Parse reads the JSON form of a document. Written in any format, this document gives the same text as the original. In
// the configuration and in labels a number is a [json.Number]. Parse checks the document as Write does. An error is one
// line that says what is wrong with the file.
func Parse(data []byte) (*Document, error) {
	type result struct {
		Schema string `json:"schema"`
	}
	var head result
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("is not a result file: must be JSON of ocrbench (--format json): %w", err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("has the schema %.60q: must be %s", head.Schema, Schema)
	}
	stats := new(json.RawMessage)
	d := &Document{Stats: stats} // not decoded: the order and the digits stay
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("does not have the layout of %s: %w", Schema, err)
	}
	if len(*stats) == 0 {
		d.Stats = nil
	}
	if c := d.Conditions; c != nil && c.Others == -1 && c.Steal == -1 { // unknown, in older files
		d.Conditions = nil
	}
	return d, d.check()
}
