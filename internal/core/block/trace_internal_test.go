package block

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A tracer plays a trace of creations and destructions on a few workers. After each step it checks that the bytes held
// are within their bound, and that the blocks are aligned and disjoint.
type tracer struct {
	testing.TB
	rng        *rand.Rand
	store      *Store
	locals     []Local
	lines      map[uintptr]*[1 << 8]uint64 // by MiB: a bit for each line that is in a block; nil: not checked
	live, peak int
	worst      int  // most bytes held beyond the live ones and half of the peak
	unbounded  bool // the bound does not hold now: spans may have few blocks left
}

type traced struct {
	i     uint32
	r     *Record
	bytes int
}

const workerShare = 2 << 20

func newTracer(t testing.TB, workers int, limit uint64) *tracer {
	tr := &tracer{TB: t, rng: rand.New(rand.NewPCG(1, uint64(workers))), store: openStore(limit), worst: math.MinInt}
	t.Cleanup(tr.store.Close)
	tr.locals = make([]Local, workers)
	for k := range tr.locals {
		tr.locals[k].Init(tr.store, nil)
	}
	if limit == 0 {
		tr.lines = make(map[uintptr]*[1 << 8]uint64)
	}
	return tr
}

func (tr *tracer) create(w, size int) traced {
	b, err := tr.try(w, size)
	if err != nil {
		tr.Fatalf("%d bytes beside %d live ones: %v", size, tr.live, err)
	}
	return b
}

func (tr *tracer) try(w, size int) (traced, error) {
	i, r, err := tr.locals[w].Create(size, false)
	if err != nil {
		return traced{}, err
	}
	_, bytes := sizeClass(size)
	b := traced{i, r, bytes}
	if r.addr%lineSize != 0 {
		tr.Fatalf("a block of %d bytes begins at %#x", size, r.addr)
	}
	tr.mark(b, true)
	tr.live += bytes
	tr.peak = max(tr.peak, tr.live)
	tr.check()
	return b, nil
}

func (tr *tracer) destroy(w int, b traced) {
	tr.mark(b, false)
	tr.locals[w].Destroy(b.i, b.r)
	tr.live -= b.bytes
	tr.check()
}

// mark marks the lines of a block as taken or free. It fails if a line was taken, or free, already.
func (tr *tracer) mark(b traced, taken bool) {
	if tr.lines == nil {
		return
	}
	for line, end := b.r.addr/lineSize, (b.r.addr+uintptr(b.bytes))/lineSize; line < end; {
		m := tr.lines[line>>14]
		if m == nil {
			m = new([1 << 8]uint64)
			tr.lines[line>>14] = m
		}
		from := line % 64
		n := min(64-from, end-line)
		bits, word := uint64(1<<n-1)<<from, &m[line>>6%(1<<8)]
		if taken && *word&bits != 0 || !taken && *word&bits != bits {
			tr.Fatalf("line %#x of a block of %d bytes is in two blocks", line*lineSize, b.bytes)
		}
		*word ^= bits
		line += n
	}
}

func (tr *tracer) check() {
	if tr.unbounded {
		return
	}
	beyond := int(tr.store.arena.held) - tr.live - tr.peak/2
	tr.worst = max(tr.worst, beyond)
	if beyond > len(tr.locals)*workerShare {
		tr.Fatalf("%d bytes are held with %d live ones, at most %d: beyond the bound by %d",
			tr.store.arena.held, tr.live, tr.peak, beyond-len(tr.locals)*workerShare)
	}
}

// group creates blocks of about total bytes together.
func (tr *tracer) group(w, total int, size func() int) (all []traced) {
	for sum := 0; sum < total; sum += all[len(all)-1].bytes {
		all = append(all, tr.create(w, size()))
	}
	return all
}

func (tr *tracer) destroyAll(w int, all []traced) {
	for _, b := range all {
		tr.destroy(w, b)
	}
}

// shuffled destroys a group in random order. When half of the group is left, each span may still have a block, so the
// bound holds only when the group is gone.
func (tr *tracer) shuffled(all []traced, worker func(k int) int) {
	tr.rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	tr.unbounded = true
	for k, b := range all {
		tr.destroy(worker(k), b)
	}
	tr.unbounded = false
	tr.check()
}

func always(size int) func() int { return func() int { return size } }

// anySize draws sizes from 64 bytes to 1 MiB, small ones as often as large ones.
func (tr *tracer) anySize() int { return int(math.Exp2(6 + 14*tr.rng.Float64())) }

const groupBytes = 4 << 20

// traces are programs that destroy blocks in groups, of sizes from 64 bytes to 1 MiB.
var traces = []struct {
	name    string
	workers int
	play    func(tr *tracer)
}{
	{"a group of each class, last in first out", 1, func(tr *tracer) {
		for class := range uint8(numClasses) {
			if size := classBytes(class) - int(class)%8; size <= 1<<20 {
				all := tr.group(0, groupBytes, always(size))
				slices.Reverse(all)
				tr.destroyAll(0, all)
			}
		}
	}},
	{"one group dies while the next is made", 1, func(tr *tracer) {
		var old []traced
		for _, size := range []int{64, 1 << 20, 256, 30_000, 1000, 5000, 100_000, 128, 40_000} {
			next := tr.group(0, groupBytes, func() int {
				for room := size; room > 0 && len(old) > 0; old = old[1:] {
					room -= old[0].bytes
					tr.destroy(0, old[0])
				}
				return size
			})
			tr.destroyAll(0, old)
			old = next
		}
		tr.destroyAll(0, old)
	}},
	{"generations of all sizes", 1, func(tr *tracer) {
		for range 6 {
			tr.destroyAll(0, tr.group(0, groupBytes, tr.anySize))
		}
	}},
	{"generations of all sizes that die in any order", 1, func(tr *tracer) {
		for range 6 {
			tr.shuffled(tr.group(0, groupBytes, tr.anySize), func(int) int { return 0 })
		}
	}},
	{"a ramp up and down", 1, func(tr *tracer) {
		var window []traced
		for k := range 240 {
			size := int(math.Exp2(6 + float64(min(k, 240-k))*14/120))
			for sum := 0; sum < 2<<20; {
				b := tr.create(0, size)
				window = append(window, b)
				sum += b.bytes
			}
			for tr.live > 4<<20 {
				tr.destroy(0, window[0])
				window = window[1:]
			}
		}
		tr.destroyAll(0, window)
	}},
	{"few blocks of every class", 1, func(tr *tracer) {
		var all []traced
		for class := range uint8(numClasses) {
			if size := classBytes(class); size <= 1<<20 {
				all = append(all, tr.create(0, size))
				tr.destroy(0, tr.create(0, size))
			}
		}
		tr.destroyAll(0, all)
	}},
	{"producer and consumer", 2, func(tr *tracer) {
		for _, size := range []int{64, 1 << 20, 256, 30_000, 1000, 5000, 100_000, 128} {
			for range 3 {
				tr.destroyAll(1, tr.group(0, groupBytes/2, always(size)))
			}
		}
	}},
	{"four workers destroy in any order", 4, func(tr *tracer) {
		for range 4 {
			var all []traced
			for w := range 4 {
				all = append(all, tr.group(w, groupBytes, tr.anySize)...)
			}
			tr.shuffled(all, func(k int) int { return k % 4 })
		}
	}},
}

// TestMemoryBound: the bytes held are at most the live ones, half of their peak, and 2 MiB a worker. So the trace can
// be played again with this bound as its limit.
func TestMemoryBound(t *testing.T) {
	for _, tc := range traces {
		t.Run(tc.name, func(t *testing.T) {
			tr := newTracer(t, tc.workers, 0)
			tc.play(tr)
			if tr.live != 0 {
				t.Fatalf("the trace leaves %d bytes", tr.live)
			}
			t.Logf("peak %.1f MiB; beyond live bytes and half of the peak at most %.2f MiB, of %.0f", mib(tr.peak),
				mib(tr.worst), mib(tc.workers*workerShare))
			tc.play(newTracer(t, tc.workers, uint64(tr.peak+tr.peak/2+tc.workers*workerShare)))
		})
	}
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }
