package observe

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"

	"ocr/edt"
	"ocr/runtime"
)

// ErrNoRun is the error of an observer that has nothing to show: no run that it observed has ended.
var ErrNoRun = errors.New("observe: no run has ended that was observed")

// A recording is an observer's state: the recorder R of the current run, and that of the latest ended run.
type recording[R any] struct {
	inUse       atomic.Bool
	now, latest *R
}

// option makes the runtime's option of an observer with this name. A run takes the recording until it ends; a second
// run meanwhile is refused.
func (r *recording[R]) option(name string, observe runtime.Option, end func(runtime.Report, error)) runtime.Option {
	take := func() (free func(), err error) {
		if r.inUse.Swap(true) {
			return nil, &runtime.OptionError{Option: name, Problem: "another run uses it: give each run its own"}
		}
		return func() { r.inUse.Store(false) }, nil
	}
	return runtime.Options(runtime.AtBegin(take), observe, runtime.AtEnd(end))
}

// begin returns the recorder of a worker's run. It is called for one worker after the other, number 0 first.
func (r *recording[R]) begin(w *edt.Worker, newRecorder func(workers int) *R) *R {
	if w.Number() == 0 {
		r.now = newRecorder(w.Observed())
	}
	return r.now
}

func (r *recording[R]) end() { r.now, r.latest = nil, r.now }

// titled returns the title, or the program's name if it is "".
func titled(title string) string {
	if title == "" {
		return filepath.Base(os.Args[0])
	}
	return title
}
