package main

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	overheadapp "ocr/apps/overhead"
	"ocr/internal/harness"
)

// TestOverheadInterrupted holds that what was measured of the rows so far is written,
// marked partial, and that rows to come are not.
func TestOverheadInterrupted(t *testing.T) {
	code, out, errs := callInterrupted(t, thirdSample,
		strings.Fields("overhead empty-loop chain label-race --workers 1 --warmup 0 --samples 1000000 --sample-time 1ms --format json --quiet")...)
	if code != exitInterrupted || errs != "ocrbench: interrupted\n" {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	var d struct {
		Partial bool
		Results []struct {
			Name    string
			Metrics map[string]struct{ N int }
		}
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if !d.Partial || len(d.Results) == 0 {
		t.Fatalf("partial %v, %d results", d.Partial, len(d.Results))
	}
	for _, r := range d.Results {
		if !strings.HasPrefix(r.Name, "overhead/empty-loop/") || r.Metrics["ns/op"].N == 0 {
			t.Errorf("result %s of %d samples", r.Name, r.Metrics["ns/op"].N)
		}
	}
}

// TestOverheadOnOneProcessor holds that rows of several workers are told where they
// cannot be measured, and rows of memory where the system does not tell it.
func TestOverheadOnOneProcessor(t *testing.T) {
	r := &overheadRun{commonFlags: flagsTo(nil), flags: &overheadFlags{}, rows: overheadapp.Rows(), pools: []*harness.Pool{{Workers: 1}}, find: map[overheadKey]*overheadResult{}}
	r.layOut(func() (uint64, error) { return 0, errNoOffHeap })
	var lines []string
	for _, section := range r.text().Sections {
		for _, cells := range section.Table.Rows {
			lines = append(lines, cells[0]+" "+cells[1])
		}
	}
	for _, row := range r.rows {
		note := "left out: " + row.Name + ": needs 2 workers"
		needs := row.MinWorkers > 1
		if got := strings.Contains(strings.Join(r.notes, "\n")+"\n", note+"\n"); got != needs {
			t.Errorf("%s: noted %v, want %v", row.Name, got, needs)
		}
		if got := strings.Contains(strings.Join(lines, "\n")+"\n", row.Name+" needs 2\n"); got != needs {
			t.Errorf("%s: shown %v, want %v", row.Name, got, needs)
		}
	}
	if len(r.footprints) != 0 || !strings.Contains(strings.Join(r.notes, "\n"), errNoOffHeap.Error()) {
		t.Errorf("%d rows of memory, notes %q", len(r.footprints), r.notes)
	}
}

// TestOffHeapCountsMappings holds that what is mapped outside of the heap is counted, and
// that the heap is not.
func TestOffHeapCountsMappings(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps"); errors.Is(err, os.ErrNotExist) {
		t.Skip("this system has no /proc/self/smaps")
	}
	if raceDetector {
		t.Skip("the race detector maps a shadow of the heap, which counts as outside of it")
	}
	before, err := offHeap()
	if err != nil {
		t.Fatal(err)
	}
	const size = 64 << 20
	bytes := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		bytes[i] = 1
	}
	after, err := offHeap()
	if err != nil || after > before+size/8 {
		t.Errorf("%d bytes of heap added %d, error %v", len(bytes), after-before, err)
	}
	if before == 0 {
		t.Error("nothing is mapped outside of the heap")
	}
}
