package trace

import (
	"bytes"
	"encoding/json"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// TestClockThatIsAhead: records of another machine may be later than the end of the run. The file can be read, and
// nothing in it lasts for less than no time.
func TestClockThatIsAhead(t *testing.T) {
	r := New(1, Config{Events: 8})
	w := r.workers[0]
	r.Stop()
	const second = 1_000_000_000
	ahead := r.stopped + int64(second/sys.CyclePeriod())
	for k, what := range []kind{begins, parks, wakes} {
		one := w.note(what, 0, uint64(k))
		one.At, one.Template = ahead-int64(k), "late"
	}
	var file bytes.Buffer
	testrun.OK(t, r.Write(&file, About{Process: "test"}))
	var read struct {
		Events []struct {
			Name string   `json:"name"`
			For  *float64 `json:"dur"`
		} `json:"traceEvents"`
	}
	testrun.OK(t, json.Unmarshal(file.Bytes(), &read))
	lasting := 0
	for _, e := range read.Events {
		if e.For == nil {
			continue
		}
		if lasting++; *e.For < 0 {
			t.Errorf("%s lasts for %v us", e.Name, *e.For)
		}
	}
	if lasting == 0 {
		t.Error("nothing lasts")
	}
}

func TestMicros(t *testing.T) {
	for m, want := range map[micros]string{0: "0.000", 1: "0.001", 12_345: "12.345", -12_345: "-12.345", -500: "-0.500"} {
		if got, err := json.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%d ns: %s, %v, want %s", int64(m), got, err, want)
		}
	}
}
