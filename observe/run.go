package observe

import (
	"encoding/json"
	"errors"
	"fmt"
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

// option makes an option of an observer of runs. Each rank of a run has one, made with the exported fields of config.
func option(kind *runtime.ObserverKind, config any, use func(string) (func(), error),
	observe func(*edt.Worker) edt.Observer, end func(runtime.Report, error)) runtime.Option {
	text, err := json.Marshal(config)
	if err != nil {
		panic(err) // it is plain data
	}
	begin := func() (func(), error) { return use(fmt.Sprintf("%T", config)[1:]) }
	return runtime.Options(runtime.AtBegin(begin), kind.Observe(string(text), observe), runtime.AtEnd(end))
}

// configured sets the exported fields of an observer of another rank.
func configured[O any](o *O, config string) *O {
	if err := json.Unmarshal([]byte(config), o); err != nil {
		panic(err) // both ranks are of one program
	}
	return o
}

// titled is a title, or the program's name.
func titled(title string) string {
	if title == "" {
		return filepath.Base(os.Args[0])
	}
	return title
}
