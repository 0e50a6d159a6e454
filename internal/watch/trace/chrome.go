package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"ocr/guid"
	"ocr/internal/core/sys"
)

// About describes the run in the head of the file.
type About struct {
	Process string   // name of the whole run
	Argv    []string // command that ran
	CPUs    []int    // of each worker, -1 if unknown; may have fewer entries
	Ending  string   // why the run failed or was interrupted; "" if it did not
}

// otherData is the head of the file.
type otherData struct {
	Schema  string   `json:"schema"`
	Argv    []string `json:"argv"`
	Ending  string   `json:"ending,omitempty"`
	Dropped []uint64 `json:"dropped-records"` // of each worker
	Which   string   `json:"dropped-which"`
}

// An event is one entry of the file's list of events.
type event struct {
	Phase  string   `json:"ph"`
	Pid    int      `json:"pid"`
	Worker int      `json:"tid"`
	At     float64  `json:"ts"`            // in the format's microseconds
	For    *float64 `json:"dur,omitempty"` // in microseconds, too
	ID     uint64   `json:"id,omitempty"`
	Binds  string   `json:"bp,omitempty"`
	Cat    string   `json:"cat,omitempty"`
	Name   string   `json:"name"`
	Args   any      `json:"args,omitempty"`
}

// micros returns nanoseconds as microseconds.
func micros(ns int64) float64 { return float64(ns) / 1000 }

// edtArgs are the arguments of an EDT's slice.
type edtArgs struct {
	Label      string `json:"label,omitempty"` // the template's description of the EDT, if it has one
	GUID       string `json:"guid"`
	Blocks     int    `json:"blocks"`
	Unfinished bool   `json:"unfinished,omitempty"`
}

type args map[string]any

// Write writes the trace-event JSON of a run, after [Recorder.Stop].
func (r *Recorder) Write(out io.Writer, about About) error {
	head, err := json.Marshal(otherData{
		Schema: "ocrbench-trace/1", Argv: about.Argv, Ending: about.Ending,
		Dropped: r.Dropped(), Which: "oldest",
	})
	if err != nil {
		return err
	}
	x := &exporter{out: bufio.NewWriterSize(out, 1<<16), start: r.stopped, period: sys.CyclePeriod(),
		begun: map[uint64]begin{}}
	var tracks [][]span
	for k, w := range r.shown() {
		track := w.spans(r.stopped)
		for _, s := range track {
			x.start = min(x.start, s.from)
			if s.edt != nil {
				x.begun[s.edt.EDT] = begin{k, s.from}
			}
		}
		tracks = append(tracks, track)
	}
	fmt.Fprintf(x.out, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\"traceEvents\":[", head)
	x.write(event{Phase: "M", Name: "process_name", Args: args{"name": about.Process}})
	for k, track := range tracks {
		x.write(event{Phase: "M", Worker: k, Name: "thread_name", Args: args{"name": trackName(k, about.CPUs)}})
		x.write(event{Phase: "M", Worker: k, Name: "thread_sort_index", Args: args{"sort_index": k}})
		for _, s := range track {
			x.slice(k, r.workers[k].high, s)
		}
	}
	// Perfetto sorts by time only: a slice must be written before an arrow to it that has the same nanosecond.
	for k, track := range tracks {
		for _, s := range track {
			x.arrows(k, s)
		}
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

// An exporter writes events; out keeps the first error.
type exporter struct {
	out    *bufio.Writer
	start  int64
	period float64          // ns of a cycle
	begun  map[uint64]begin // the EDTs whose slices are in the file, by the low words of their GUIDs
	more   bool             // an event has been written
	ids    uint64           // of arrows: 1, 2, ...
}

// A begin is the worker and the time at which an EDT's slice begins.
type begin struct {
	worker int
	at     int64
}

// ns returns a time as nanoseconds from the start. A later time never gets a smaller result, so slices that do not
// overlap in cycles do not overlap in the file.
func (x *exporter) ns(at int64) int64 { return int64(float64(at-x.start) * x.period) }

func (x *exporter) write(e event) {
	e.Pid = 1
	line, err := json.Marshal(&e)
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	if x.more {
		x.out.WriteByte(',')
	}
	x.more = true
	x.out.WriteByte('\n')
	x.out.Write(line)
}

// slice writes a slice of a worker. high is the high word of the GUIDs of its EDTs.
func (x *exporter) slice(worker int, high uint64, s span) {
	took := micros(x.ns(s.to) - x.ns(s.from))
	e := event{Phase: "X", Worker: worker, At: micros(x.ns(s.from)), For: &took, Cat: "idle", Name: s.pause}
	if s.edt != nil {
		id := guid.FromWords(high, s.edt.EDT).String()
		e.Cat, e.Name = "edt", s.edt.Template
		e.Args = edtArgs{Label: s.edt.About, GUID: id, Blocks: int(s.edt.Number), Unfinished: s.unfinished}
	}
	x.write(e)
}

// arrows writes the arrows from an EDT to the EDTs whose slices are in the file. The counters of two processors may
// differ by some nanoseconds: if need be, an arrow's start is moved, so that no arrow goes back in time.
func (x *exporter) arrows(worker int, s span) {
	first := x.ns(s.from)
	last := max(first, x.ns(s.to)-1)
	for _, r := range s.flows {
		to, ok := x.begun[r.EDT]
		if !ok {
			continue
		}
		x.ids++
		head := x.ns(to.at)
		from := event{Phase: "s", Worker: worker, At: micros(min(max(x.ns(r.At), first), last, max(first, head))),
			ID: x.ids, Cat: "create", Name: "create"}
		if r.Kind == satisfies {
			from.Cat, from.Name, from.Args = "satisfy", "satisfy", args{"slot": r.Number}
		}
		x.write(from)
		x.write(event{Phase: "f", Worker: to.worker, At: micros(head), Binds: "e", ID: x.ids, Cat: from.Cat, Name: from.Name})
	}
}
