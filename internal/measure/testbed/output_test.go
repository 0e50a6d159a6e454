package testbed

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// results returns an output to a file, a document with a result, and the text of standard output and error.
func results(t *testing.T, path string) (o *Output, d *report.Document, out, errs *strings.Builder) {
	t.Helper()
	out, errs = new(strings.Builder), new(strings.Builder)
	k, err := Stdout(out), error(nil)
	if path != "" {
		k, err = NewSink(path)
	}
	testrun.OK(t, err)
	d = &report.Document{App: "app", Verified: true}
	d.Add("app/form", bench.Series{Runs: []int{1}, Metrics: []bench.Metric{{Unit: "ns/op", Samples: []float64{7}}}})
	return &Output{Results: k, Format: "csv", Stdout: out, Console: NewConsole("ocrbench", errs)}, d, out, errs
}

const row = "app/form,ns/op,1,7,true,false\n"

// TestResultsSurvive: results are printed to standard output if their file cannot be written in the end, and the error
// names the file.
func TestResultsSurvive(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "dir")
	for path, spoil := range map[string]func(){
		"/dev/full":                func() {},
		filepath.Join(gone, "out"): func() { _ = os.RemoveAll(gone) },
	} {
		_ = os.Mkdir(gone, 0o777)
		if path == "/dev/full" {
			if _, err := os.Stat(path); err != nil {
				continue
			}
		}
		o, d, out, _ := results(t, path)
		spoil()
		err := o.Write(d, nil)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") ||
			!strings.HasSuffix(err.Error(), ": the results are on standard output") {
			t.Errorf("%s: error %v", path, err)
		}
		if !strings.HasSuffix(out.String(), row) {
			t.Errorf("%s: standard output has %q", path, out)
		}
	}
}

// TestFilesBesideThatFail: the results are written even if other files cannot be, and the error names these.
func TestFilesBesideThatFail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, d, _, _ := results(t, path)
	picture, err := NewSink(filepath.Join(t.TempDir(), "picture"))
	testrun.OK(t, err)
	full := func(io.Writer) error { return &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC} }
	testrun.Contains(t, picture.Stream(full).Error(), "picture: no space left on device")
	gone, err := NewSink(filepath.Join(t.TempDir(), "gone"))
	testrun.OK(t, err)
	testrun.OK(t, os.Remove(filepath.Dir(gone.path)))
	o.Picture = gone
	if err = o.Write(d, nil); err == nil || !strings.HasSuffix(err.Error(), "gone: no such file or directory") {
		t.Errorf("error %v", err)
	}
	if text := testrun.Read(t, path); !strings.HasSuffix(text, row) {
		t.Errorf("the results are %q", text)
	}
	if _, err := os.Stat(picture.path); err == nil {
		t.Error("half a picture is left")
	}
}

// TestPartialResultsOfALink: partial results go beside the file behind links, as the warning says. Links may lead to a
// file that is not there, by another link and from a folder that is a link.
func TestPartialResultsOfALink(t *testing.T) {
	dir := t.TempDir()
	testrun.OK(t, os.MkdirAll(filepath.Join(dir, "real", "sub"), 0o777))
	for link, to := range map[string]string{"d": "real/sub", "real/sub/one": "two", "real/sub/two": "../target"} {
		testrun.OK(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	o, d, _, errs := results(t, filepath.Join(dir, "d", "one"))
	d.Partial = true
	testrun.OK(t, o.Write(d, nil))
	partial := filepath.Join(dir, "real", "target.partial")
	testrun.Contains(t, errs.String(), fmt.Sprintf("partial results go to %q\n", partial))
	testrun.Contains(t, testrun.Read(t, partial), "app/form,ns/op,1,7,")
}
