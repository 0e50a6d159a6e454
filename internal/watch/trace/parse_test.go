package trace_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"ocr/internal/proof/testrun"
	"ocr/internal/watch/trace"
)

// event is one event of a file.
type event struct {
	Ph   string          `json:"ph"`
	Pid  int             `json:"pid"`
	Tid  int             `json:"tid"`
	Ts   float64         `json:"ts"`
	Dur  float64         `json:"dur"`
	Name string          `json:"name"`
	Cat  string          `json:"cat"`
	ID   uint64          `json:"id"`
	Bp   string          `json:"bp"`
	Args json.RawMessage `json:"args"`
}

func (e *event) begin() int64 { return int64(math.Round(e.Ts * 1000)) }
func (e *event) end() int64   { return e.begin() + int64(math.Round(e.Dur*1000)) }

// file is a file that was written.
type file struct {
	DisplayTimeUnit string `json:"displayTimeUnit"`
	OtherData       struct {
		Schema  string
		Ending  string
		Dropped []uint64 `json:"dropped-records"`
		Which   string   `json:"dropped-which"`
	} `json:"otherData"`
	TraceEvents []event `json:"traceEvents"`
}

// parse writes what was recorded and reads it as JSON.
func parse(t *testing.T, rec *trace.Recorder, about trace.About) *file {
	t.Helper()
	var b bytes.Buffer
	testrun.OK(t, rec.Write(&b, about))
	f := new(file)
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	var loose struct {
		DisplayTimeUnit json.RawMessage `json:"displayTimeUnit"`
		OtherData       json.RawMessage `json:"otherData"`
		TraceEvents     []event         `json:"traceEvents"`
	}
	testrun.OK(t, d.Decode(&loose), "in\n%s", b.Bytes())
	testrun.OK(t, json.Unmarshal(b.Bytes(), f))
	return f
}

func (f *file) of(ph, cat string) []event {
	var all []event
	for _, e := range f.TraceEvents {
		if e.Ph == ph && (cat == "" || e.Cat == cat) {
			all = append(all, e)
		}
	}
	return all
}

// check checks what every file must have: slices of a track nest, EDTs and idle time do not overlap, every arrow starts
// and ends in slices of EDTs and does not go back in time.
func (f *file) check(t *testing.T) {
	t.Helper()
	arrows := false
	for _, e := range f.TraceEvents {
		arrows = arrows || e.Ph == "s" || e.Ph == "f"
		if arrows && e.Ph == "X" {
			t.Fatal("a slice after an arrow, which may be for it: Perfetto would not find it")
		}
	}
	tracks := map[int][]event{}
	for _, e := range f.of("X", "") {
		tracks[e.Tid] = append(tracks[e.Tid], e)
		if e.Dur < 0 || e.Ts < 0 {
			t.Errorf("slice %+v", e)
		}
	}
	for tid, all := range tracks {
		slices.SortStableFunc(all, func(a, b event) int { return int(a.begin() - b.begin()) })
		end := int64(0)
		for _, e := range all {
			if e.Name == "parked" {
				continue
			}
			if e.begin() < end {
				t.Fatalf("track %d: %s begins at %d, the slice before ends at %d", tid, e.Name, e.begin(), end)
			}
			end = e.end()
		}
		for _, e := range all {
			if e.Name == "parked" && !slices.ContainsFunc(all, func(o event) bool {
				return o.Name == "idle" && o.begin() <= e.begin() && e.end() <= o.end()
			}) {
				t.Errorf("track %d: parked from %d to %d while not idle", tid, e.begin(), e.end())
			}
		}
	}
	begins := func(e event) bool {
		return slices.ContainsFunc(tracks[e.Tid], func(s event) bool { return s.Cat == "edt" && s.Ts == e.Ts })
	}
	inEDT := func(e event) bool {
		all := tracks[e.Tid]
		n, _ := slices.BinarySearchFunc(all, e.begin()+1, func(s event, at int64) int { return int(s.begin() - at) })
		for n--; n >= 0; n-- {
			if s := all[n]; s.Cat == "edt" {
				return s.begin() <= e.begin() && e.begin() <= s.end()
			}
		}
		return false
	}
	ends := map[uint64]event{}
	for _, e := range f.of("f", "") {
		if _, twice := ends[e.ID]; twice || e.Bp != "e" || !begins(e) {
			t.Errorf("end of an arrow %+v: twice %v, where an EDT begins %v", e, twice, begins(e))
		}
		ends[e.ID] = e
	}
	for _, s := range f.of("s", "") {
		e, ok := ends[s.ID]
		if !ok || !inEDT(s) || e.Cat != s.Cat || e.begin() < s.begin() {
			t.Errorf("start of an arrow %+v, its end %+v", s, e)
		}
		delete(ends, s.ID)
	}
	if len(ends) > 0 {
		t.Errorf("%d ends of arrows without a start", len(ends))
	}
}
