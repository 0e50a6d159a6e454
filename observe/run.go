package observe

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"

	"ocr/edt"
	"ocr/runtime"
)

// ErrNoRun says that there is nothing to write.
var ErrNoRun = errors.New("observe: no run has ended that was observed")

// A recording is what an observer has of runs: a recorder R of the one that is on, and of the latest that has ended.
type recording[R any] struct {
	inUse       atomic.Bool
	now, latest *R
}

// use takes the recording for a run that begins, and returns what gives it back.
func (r *recording[R]) use(what string) (free func(), err error) {
	if r.inUse.Swap(true) {
		return nil, &runtime.OptionError{Option: what, Problem: "another run uses it: give each run its own"}
	}
	return func() { r.inUse.Store(false) }, nil
}

// begin returns the recorder of the run of a worker. Workers come one after the other, number 0 first.
func (r *recording[R]) begin(w *edt.Worker, newRecorder func(workers int) *R) *R {
	if w.Number() == 0 {
		r.now = newRecorder(w.Observed())
	}
	return r.now
}

func (r *recording[R]) end() { r.now, r.latest = nil, r.now }

// option makes an option of an observer of runs, which is called name.
func option(name string, observe runtime.Option, use func(string) (func(), error),
	end func(runtime.Report, error)) runtime.Option {
	begin := func() (func(), error) { return use(name) }
	return runtime.Options(runtime.AtBegin(begin), observe, runtime.AtEnd(end))
}

// titled is a title, or the program's name.
func titled(title string) string {
	if title == "" {
		return filepath.Base(os.Args[0])
	}
	return title
}
