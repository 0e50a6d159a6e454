package runtime

import (
	"flag"
	"fmt"
	"os"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"ocr/edt"
)

// A footprint is the memory that the process uses at some moment.
type footprint struct{ rss, heap uint64 }

func (f footprint) String() string {
	return fmt.Sprintf("RSS %.1f MiB, heap in use %.1f MiB", float64(f.rss)/(1<<20), float64(f.heap)/(1<<20))
}

// footprintNow reads the footprint after a garbage collection; rss is 0 if it cannot be read.
func footprintNow() (f footprint) {
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	f.heap = m.HeapInuse
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if words := strings.Fields(string(b)); len(words) > 1 {
			pages, _ := strconv.ParseUint(words[1], 10, 64)
			f.rss = pages * uint64(os.Getpagesize())
		}
	}
	return f
}

// grown reports whether b is clearly more than a.
func (a footprint) grown(b footprint) bool {
	more := func(a, b uint64) bool { return b > a+a/5+24<<20 }
	return more(a.heap, b.heap) || more(a.rss, b.rss)
}

var longRun = flag.Uint64(
	"edts", 0, "how many EDTs TestLoadLongRun runs; 0: 4*10^6, fewer in short mode and under the race detector, 10^9 "+
		"with OCR_NIGHTLY=1",
)

// TestLoadLongRun runs very many EDTs in one run. It samples the memory of the process, which must not grow after the
// first tenth.
func TestLoadLongRun(t *testing.T) {
	const strands = 50
	edts := *longRun
	if edts == 0 {
		edts = uint64(sized(4_000_000, 1_000_000_000))
	}
	for _, workers := range []int{1, 2, 8} {
		n := edts * 4 / 5 / 3 // about a quarter more EDTs than turns, three runs together
		m := &mill{strands: strands, turns: n / strands}
		var samples []footprint
		m.tick = func(_ *edt.Ctx, left uint64) {
			if left%max(1, m.turns/10) == 0 && left%m.turns != 0 {
				m.sample(&samples, left)
			}
		}
		start := time.Now()
		r := mustRun(t, m.main, Workers(workers), LeakReport())
		if s := m.check(); s != "" {
			t.Fatal(s)
		}
		leaks(t, r, 6)
		first, last := samples[0], samples[len(samples)-1]
		t.Logf("%d workers: %d EDTs in %v", workers, r.Counters.EDTRun, time.Since(start).Round(time.Millisecond))
		for k, f := range samples {
			t.Logf("  after %d tenths: %v", k+1, f)
		}
		if first.grown(last) {
			t.Error("memory has grown")
		}
	}
}

// sample takes a footprint if this strand is the first with so many turns left.
func (m *mill) sample(samples *[]footprint, left uint64) {
	m.sampling.Lock()
	defer m.sampling.Unlock()
	if m.sampled == nil {
		m.sampled = make(map[uint64]bool)
	}
	if !m.sampled[left] {
		m.sampled[left] = true
		*samples = append(*samples, footprintNow())
	}
}

// leaks fails the test if a run leaves anything but at most this many templates.
func leaks(t *testing.T, r Report, templates int) {
	t.Helper()
	n := 0
	for _, l := range r.Leaks {
		if l.Template == "" || l.Kind.String() != "template" {
			t.Errorf("left behind: %v", l)
		}
		n += l.Count
	}
	if n > templates {
		t.Errorf("%d templates are left, the program has made %d: %v", n, templates, r.Leaks)
	}
}
