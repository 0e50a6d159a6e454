package runtime

import (
	"flag"
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"testing"
	"time"

	"ocr/edt"
)

// memoryNow returns the memory that the process uses after a garbage collection: its resident pages, or the heap if the
// system does not tell.
func memoryNow() (bytes uint64) {
	debug.FreeOSMemory()
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, resident uint64
		_, _ = fmt.Sscan(string(text), &size, &resident)
		return resident * uint64(os.Getpagesize())
	}
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapInuse
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
		n := edts * 4 / 5 / 3 // three runs, and about 5/4 EDTs for each turn
		m := &mill{strands: strands, turns: n / strands}
		var samples []uint64
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
		if last > first+first/5+24<<20 {
			t.Errorf("memory has grown, in bytes: %d", samples)
		}
	}
}

// sample notes the memory if this strand is the first with so many turns left.
func (m *mill) sample(samples *[]uint64, left uint64) {
	m.sampling.Lock()
	defer m.sampling.Unlock()
	if m.sampled == nil {
		m.sampled = make(map[uint64]bool)
	}
	if !m.sampled[left] {
		m.sampled[left] = true
		*samples = append(*samples, memoryNow())
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
