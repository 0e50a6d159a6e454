package observe

import (
	"io"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/show/report"
	"ocr/internal/watch/workspan"
	"ocr/observe/stats"
	"ocr/runtime"
)

// Stats measure a run's work T1, its span Tinf, and how its workers spent their time. One run at a time can use them.
type Stats struct {
	Title string // "" for the program's name

	runs   recording[workspan.Meter]
	result stats.Result
	ended  bool
}

// Option returns the option that measures a run.
func (s *Stats) Option() runtime.Option {
	return s.runs.option("observe.Stats", runtime.Observe(s.Observe), s.End)
}

// Observe returns the observer of a worker. It is for hosts other than package runtime, such as edttest; for runtime
// use Option.
func (s *Stats) Observe(w *edt.Worker) edt.Observer {
	return s.runs.begin(w, func(workers int) *workspan.Meter {
		return workspan.New(workers, sys.Cycles, sys.CyclePeriod)
	}).Observe(w)
}

// End tells the Stats that the run has ended. Hosts other than package runtime call it.
func (s *Stats) End(runtime.Report, error) {
	if s.runs.now != nil {
		s.result, s.ended = s.runs.now.Result(), true
		s.runs.now = nil
	}
}

// Result returns the figures of the latest ended run; the zero Result if there is none.
func (s *Stats) Result() stats.Result { return s.result }

// WriteText writes the figures as tables: the run, its workers, and its templates.
func (s *Stats) WriteText(w io.Writer) error {
	if !s.ended {
		return ErrNoRun
	}
	_, err := io.WriteString(w, report.Sections(workspan.Sections(titled(s.Title), &s.result), report.Width))
	return err
}
