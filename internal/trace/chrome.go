package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/sys"
)

// About is what a file says of its run beside what was recorded.
type About struct {
	Process string   // name of the whole
	Argv    []string // command that ran
	CPUs    []int    // of each worker, -1 if that is not known; may be short
	Ending  string   // why the run failed or was interrupted; empty if it was not
}

// otherData heads the file.
type otherData struct {
	Schema  string   `json:"schema"`
	Argv    []string `json:"argv"`
	Ending  string   `json:"ending,omitempty"`
	EDTs    uint64   `json:"edts"`
	Steals  uint64   `json:"steals"`
	Parks   uint64   `json:"parks"`
	Dropped []uint64 `json:"dropped-records"` // of each worker
	Which   string   `json:"dropped-which"`
	Flows   bool     `json:"flows"`
}

// Write writes the trace-event JSON of a run, after [Recorder.Stop].
func (r *Recorder) Write(out io.Writer, about About) error {
	c := r.Counts()
	head, err := json.Marshal(otherData{
		Schema: "ocrbench-trace/1", Argv: about.Argv, Ending: about.Ending,
		EDTs: c.EDTs, Steals: c.Steals, Parks: c.Parks, Dropped: c.Dropped, Which: "oldest", Flows: r.config.Flows,
	})
	if err != nil {
		return err
	}
	x := &exporter{
		out: bufio.NewWriterSize(out, 1<<16), start: r.start(), period: sys.CyclePeriod(),
		begun: r.beginnings(), names: map[*edt.Template][]byte{},
	}
	fmt.Fprintf(x.out, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\"traceEvents\":[\n", head)
	x.metadata("process_name", 0, quoted(about.Process))
	for k, w := range r.workers {
		x.metadata("thread_name", k, quoted(trackName(k, about.CPUs)))
		x.metadata("thread_sort_index", k, []byte(strconv.Itoa(k)))
		x.track(k, w, r.stopped)
	}
	// Perfetto sorts by time alone: an arrow finds a slice that begins in the same
	// nanosecond only if that stands before it.
	for k, w := range r.workers {
		w.spans(r.stopped, func(s *span) { x.arrows(k, s) })
	}
	shown := level{ready: -1, stole: -1, slept: -1}
	for _, l := range r.levels() {
		x.counter("ready EDTs", "EDTs", l.at, int64(shown.ready), int64(l.ready))
		x.counter("steals", "EDTs", l.at, shown.stole, l.stole)
		x.counter("parks", "times", l.at, shown.slept, l.slept)
		shown = l
	}
	x.out.WriteString("\n]}\n")
	return x.out.Flush()
}

func trackName(worker int, cpus []int) string {
	if worker < len(cpus) && cpus[worker] >= 0 {
		return fmt.Sprintf("worker %d (CPU %d)", worker, cpus[worker])
	}
	return fmt.Sprintf("worker %d", worker)
}

// quoted writes a string as JSON.
func quoted(s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can always be written
	}
	return text
}

// An exporter writes events, and keeps the first error for the end.
type exporter struct {
	out    *bufio.Writer
	line   []byte
	start  int64
	period float64 // ns of a cycle
	begun  map[uint64]begin
	names  map[*edt.Template][]byte
	more   bool   // there is an event before
	ids    uint64 // of arrows: 1, 2, ...
}

// ns returns a time as nanoseconds from the start. As it never decreases, slices that
// do not overlap in cycles do not overlap in the file either.
func (x *exporter) ns(at int64) int64 { return int64(float64(at-x.start) * x.period) }

// event begins an event of a phase.
func (x *exporter) event(phase byte, worker int, ns int64) {
	x.line = x.line[:0]
	if x.more {
		x.line = append(x.line, ",\n"...)
	}
	x.more = true
	x.line = append(x.line, `{"ph":"`...)
	x.line = append(x.line, phase)
	x.line = append(x.line, `","pid":1,"tid":`...)
	x.line = strconv.AppendInt(x.line, int64(worker), 10)
	x.time(`,"ts":`, ns)
}

// time writes nanoseconds as the microseconds that the format wants.
func (x *exporter) time(key string, ns int64) {
	x.line = append(x.line, key...)
	x.line = strconv.AppendInt(x.line, ns/1000, 10)
	x.line = append(x.line, '.', byte('0'+ns/100%10), byte('0'+ns/10%10), byte('0'+ns%10))
}

func (x *exporter) text(parts ...string) {
	for _, p := range parts {
		x.line = append(x.line, p...)
	}
}

// end writes the event; the writer keeps its first error for Flush.
func (x *exporter) end() {
	x.line = append(x.line, '}')
	_, _ = x.out.Write(x.line)
}

func (x *exporter) metadata(name string, worker int, value []byte) {
	key := "name"
	if name == "thread_sort_index" {
		key = "sort_index"
	}
	x.event('M', worker, 0)
	x.text(`,"name":"`, name, `","args":{"`, key, `":`, string(value), "}")
	x.end()
}

// counter writes a counter's value if that has changed.
func (x *exporter) counter(name, unit string, at, before, value int64) {
	if value == before {
		return
	}
	x.event('C', 0, x.ns(at))
	x.text(`,"name":"`, name, `","args":{"`, unit, `":`, strconv.FormatInt(value, 10), "}")
	x.end()
}

// track writes the slices of a worker.
func (x *exporter) track(k int, w *worker, stopped int64) {
	var parked *record
	w.spans(stopped, func(s *span) { x.slice(k, w, s) })
	records := w.ring.inOrder()
	for n := range records {
		switch r := &records[n]; r.kind() {
		case parks:
			parked = r
		case wakes:
			if parked != nil {
				x.pause(k, "parked", parked.at, r.at)
			}
			parked = nil
		}
	}
}

func (x *exporter) slice(worker int, w *worker, s *span) {
	if s.edt == nil {
		x.pause(worker, "idle", s.from, s.to)
		return
	}
	x.event('X', worker, x.ns(s.from))
	x.time(`,"dur":`, x.ns(s.to)-x.ns(s.from))
	name := string(x.name(s.edt.template))
	if about := s.edt.about; about != "" {
		x.text(`,"cat":"edt","name":`, string(quoted(s.edt.template.Name()+" "+about)), `,"args":{"template":`, name, `,"guid":"`)
	} else {
		x.text(`,"cat":"edt","name":`, name, `,"args":{"guid":"`)
	}
	x.text(guid.FromWords(w.high, s.edt.edt).String(), `","blocks":`, strconv.Itoa(s.edt.number()))
	if s.unfinished {
		x.text(`,"unfinished":true`)
	}
	x.text("}")
	x.end()
}

func (x *exporter) pause(worker int, name string, from, to int64) {
	x.event('X', worker, x.ns(from))
	x.time(`,"dur":`, x.ns(to)-x.ns(from))
	x.text(`,"cat":"idle","name":"`, name, `"`)
	x.end()
}

// arrows writes the arrows from an EDT.
func (x *exporter) arrows(worker int, s *span) {
	from := x.ns(s.from)
	for k := range s.flows {
		x.arrow(worker, &s.flows[k], from, max(from, x.ns(s.to)-1))
	}
}

// arrow writes an arrow from within a slice, which lasts from first to last, to the
// beginning of the slice of the EDT that it is for, if that is in the file. Counters of
// two processors may differ by some nanoseconds: an arrow does not go back in time for
// that.
func (x *exporter) arrow(worker int, r *record, first, last int64) {
	to, ok := x.begun[r.edt]
	if !ok {
		return
	}
	head := x.ns(to.at)
	tail := min(max(x.ns(r.at), first), last, max(first, head))
	what := "satisfy"
	if r.kind() == creates {
		what = "create"
	}
	x.ids++
	id := strconv.FormatUint(x.ids, 10)
	x.event('s', worker, tail)
	x.text(`,"id":`, id, `,"cat":"`, what, `","name":"`, what, `"`)
	if r.kind() == satisfies {
		x.text(`,"args":{"slot":`, strconv.Itoa(r.number()), "}")
	}
	x.end()
	x.event('f', to.worker, head)
	x.text(`,"bp":"e","id":`, id, `,"cat":"`, what, `","name":"`, what, `"`)
	x.end()
}

// name returns a template's name as JSON.
func (x *exporter) name(t *edt.Template) []byte {
	text := x.names[t]
	if text == nil {
		text = quoted(t.Name())
		x.names[t] = text
	}
	return text
}
