package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ocr/edt"
	"ocr/internal/watch/trace"
	"ocr/runtime"
)

// A Trace records what the workers of a run do, for ui.perfetto.dev: a track for each worker with a slice for each EDT,
// idle and parked time between them, and an arrow from the satisfaction of an EDT to its beginning. One run at a time
// can use it. It keeps the latest 65 536 records of each worker, 3.5 MiB; an EDT takes about two.
type Trace struct {
	Title string // "" for the program's name
	// RankFiles names the files of the other ranks: if it is "run.json", rank 1 writes its workers' trace to run.1.json at
	// the end of the run. Write writes the trace of rank 0.
	RankFiles string

	runs  recording[trace.Recorder]
	rank  int // number of this rank
	about trace.About
}

// Option returns the option that traces a run.
func (t *Trace) Option() runtime.Option {
	config, err := json.Marshal(t)
	if err != nil {
		panic(err) // cannot be: it is plain data
	}
	return t.runs.option("observe.Trace", traces.Observe(string(config), t.Observe), t.End)
}

var traces = runtime.NewObserverKind("ocr/observe.Trace", ofRank)

// ofRank makes the Trace of a rank other than 0, which writes the rank's file.
func ofRank(config string) (observe func(*edt.Worker) edt.Observer, end func(runtime.Report, error)) {
	t := new(Trace)
	if err := json.Unmarshal([]byte(config), t); err != nil {
		panic(err) // cannot be: both ranks run one program
	}
	return t.Observe, func(run runtime.Report, err error) {
		t.End(run, err)
		if err := t.writeRankFile(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// writeRankFile writes the file of a rank that is not rank 0, if RankFiles is set.
func (t *Trace) writeRankFile() error {
	if t.RankFiles == "" {
		return nil
	}
	ext := filepath.Ext(t.RankFiles)
	f, err := os.Create(fmt.Sprintf("%s.%d%s", strings.TrimSuffix(t.RankFiles, ext), t.rank, ext))
	if err != nil {
		return err
	}
	return errors.Join(t.Write(f), f.Close())
}

// Observe returns the observer of a worker. It is for hosts other than package runtime, such as edttest; for runtime
// use Option.
func (t *Trace) Observe(w *edt.Worker) edt.Observer {
	t.rank, _ = w.Rank()
	return t.runs.begin(w, func(workers int) *trace.Recorder {
		return trace.New(workers, trace.Kept)
	}).Observe(w)
}

// End tells the Trace that the run has ended. Hosts other than package runtime call it.
func (t *Trace) End(run runtime.Report, err error) {
	if t.runs.now == nil {
		return
	}
	t.runs.now.Stop()
	t.runs.end()
	t.about = trace.About{Argv: os.Args, CPUs: run.Placement}
	if err != nil {
		t.about.Ending = err.Error()
	}
}

// Write writes the trace of the latest ended run, as Chrome's trace-event JSON.
func (t *Trace) Write(w io.Writer) error {
	if t.runs.latest == nil {
		return ErrNoRun
	}
	about := t.about
	if about.Process = titled(t.Title); t.rank > 0 {
		about.Process += fmt.Sprintf(", rank %d", t.rank)
	}
	return t.runs.latest.Write(w, about)
}

// Missing returns how many records of each worker are missing from the latest ended run: the oldest records.
func (t *Trace) Missing() []uint64 {
	if t.runs.latest == nil {
		return nil
	}
	return t.runs.latest.Dropped()
}
