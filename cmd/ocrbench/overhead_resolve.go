package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	overheadapp "ocr/apps/overhead"
	"ocr/edt"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/sys"
)

// resolve checks what the command line asks for against this machine.
func (f *overheadFlags) resolve(s *commonFlags, bed *harness.Testbed, out *harness.Output, rows []*overheadapp.Row) (*overheadRun, error) {
	r := &overheadRun{commonFlags: s, bed: bed, out: out, flags: f, rows: rows, find: map[overheadKey]*overheadResult{}, machine: bed.Machine}
	all := bed.Pool
	counts := f.workers
	if len(counts) == 0 {
		counts = []int{1}
		if all.Workers > 1 {
			counts = append(counts, all.Workers)
		}
	}
	for _, n := range counts {
		p, err := harness.NewPool(bed.Machine, n, s.cpus, s.bind)
		if err != nil {
			return nil, err
		}
		r.pools = append(r.pools, p)
	}
	r.layOut(offHeap)
	if len(r.groups)+len(r.footprints) == 0 && !f.list {
		return nil, r.nothing(counts)
	}
	return r, nil
}

// layOut lists what is to be measured. Memory comes first: the process keeps records
// that once were in use.
func (r *overheadRun) layOut(offHeap func() (uint64, error)) {
	r.bench = overheadapp.Bench{
		Target: r.sampling.SampleTime, NoVerify: r.noVerify, Yield: sys.Yield, Barrier: barrier, OffHeap: offHeap,
	}
	if r.flags.sabotage {
		r.bench.Miscount = func(c *edt.Counters) { c.EDTCreated++ }
	}
	most := slices.MaxFunc(r.pools, func(a, b *harness.Pool) int { return a.Workers - b.Workers })
	_, err := offHeap()
	for _, row := range r.rows {
		switch {
		case row.IsFootprint() && err != nil:
			r.note("left out: rows of memory: " + err.Error())
			continue
		case row.IsFootprint():
			r.footprints = append(r.footprints, row)
			continue
		case row.MinWorkers > most.Workers:
			r.note(fmt.Sprintf("left out: %s: needs %d workers", row.Name, row.MinWorkers))
		}
		for _, p := range r.pools {
			if p.Workers >= row.MinWorkers {
				r.groups = append(r.groups, overheadGroup{row, p})
			}
		}
	}
}

// nothing says why none of the rows can be measured.
func (r *overheadRun) nothing(counts []int) error {
	if row := r.rows[0]; !row.IsFootprint() {
		return cli.Usagef("row %s: needs %d workers, --workers is %s", row.Name, row.MinWorkers, joined(counts))
	}
	return cli.Usagef("row %s: %v", r.rows[0].Name, errNoOffHeap)
}

// note adds a note to the results, once.
func (r *overheadRun) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

var errNoOffHeap = errors.New("this system does not tell how much memory of the process is resident")

// heapSpan is how far from one of its objects Go's heap may reach: it grows from one
// place, and the system maps what is asked of it elsewhere much farther away.
const heapSpan = 1 << 38

// onHeap is some object of the heap, once offHeap was called.
var onHeap *[64]byte

// offHeap returns the bytes of the process's memory that are resident and not in Go's
// heap, as Linux counts them page by page.
func offHeap() (uint64, error) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil || unsafe.Sizeof(uintptr(0)) < 8 {
		return 0, errNoOffHeap
	}
	onHeap = new([64]byte)
	heap := uint64(uintptr(unsafe.Pointer(onHeap)))
	total, outside := uint64(0), false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		if from, _, ok := strings.Cut(fields[0], "-"); ok {
			start, err := strconv.ParseUint(from, 16, 64)
			outside = err == nil && start-heap+heapSpan > 2*heapSpan
		}
		if outside && fields[0] == "Rss:" {
			kb, err := strconv.ParseUint(fields[1], 10, 64)
			if err != nil {
				return 0, err
			}
			total += kb << 10
		}
	}
	return total, nil
}

// barrier is the barrier that thieves execute; nothing if the system has none.
func barrier() {
	if sys.HasProcessBarrier() {
		sys.ProcessBarrier()
	}
}
