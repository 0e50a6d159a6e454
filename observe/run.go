package observe

import (
	"errors"
	"os"
	"path/filepath"

	"ocr/edt"
	"ocr/runtime"
)

// ErrNoRun says that there is nothing to write.
var ErrNoRun = errors.New("observe: no run has ended that was observed")

// A recording is what an observer has of runs: a recorder R of the one that is on, and of the latest that has ended.
type recording[R any] struct {
	now, latest *R
}

// begin returns the recorder of the run of a worker. Workers come one after the other, number 0 first.
func (r *recording[R]) begin(w *edt.Worker, newRecorder func(workers int) *R) *R {
	if w.Number() == 0 {
		r.now = newRecorder(w.Ctx().Workers())
	}
	return r.now
}

func (r *recording[R]) end() { r.now, r.latest = nil, r.now }

// option makes an option of an observer of runs.
func option(observe func(*edt.Worker) edt.Observer, end func(runtime.Report, error)) runtime.Option {
	return runtime.Options(runtime.Observe(observe), runtime.AtEnd(end))
}

// titled is a title, or the program's name.
func titled(title string) string {
	if title == "" {
		return filepath.Base(os.Args[0])
	}
	return title
}
