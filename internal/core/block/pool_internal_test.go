package block

import (
	"testing"

	"ocr/internal/proof/testrun"
)

func TestSpans(t *testing.T) {
	for class := range uint8(numClasses) {
		n, bytes := spanBytes(class), classBytes(class)
		length, whole := sizeClass(n)
		if whole != n || n%pageSize != 0 || n/bytes > maxBlocks || n%bytes > n/16 || length < class {
			t.Errorf("class %d of %d bytes has spans of %d", class, bytes, n)
		}
		if class < largeClass && n > spanLimit || class >= largeClass && n > spanLimit && n != bytes {
			t.Errorf("class %d of %d bytes has long spans, of %d", class, bytes, n)
		}
	}
}

// Blocks are found by their pages, so no page may be in two spans.
func TestSpansAreWholePages(t *testing.T) {
	var a arena
	for _, n := range []int{pageSize, fineSpan, 24 << 10, 32 << 10, 40 << 10, 56 << 10, spanLimit, 80 << 10, 1 << 20} {
		for range 100 {
			a.mu.Lock()
			s, _, err := a.grab(n)
			a.mu.Unlock()
			if err != nil || s.start()%pageSize != 0 {
				t.Fatalf("a span of %d bytes begins at %#x, %v", n, s.start(), err)
			}
		}
	}
}

// kept returns the number of bytes that a worker keeps.
func (p *pool) kept() (n int) {
	for class := range p.magazines {
		m := &p.magazines[class]
		n += int(m.n)*classBytes(uint8(class)) + int(m.end-m.next)
	}
	return n
}

// TestWorkerKeepsLittle: the free memory of a worker is within its bound, whatever classes it uses and in whatever way.
func TestWorkerKeepsLittle(t *testing.T) {
	tr := newTracer(t, 1, 0)
	most, p := 0, &tr.locals[0].mem
	for round := range 300 {
		total, size := 1<<(10+round%11), tr.rng.IntN(largeSize)>>tr.rng.IntN(10)+1
		for range 3 {
			tr.destroyAll(0, tr.group(0, total, always(size)))
		}
		most = max(most, p.kept())
	}
	const bound = 870 << 10
	if most > bound || p.extra < 0 {
		t.Errorf("a worker keeps %d bytes, at most %d wanted; %d are left to grow", most, bound, p.extra)
	}
	if most < extraBytes {
		t.Errorf("a worker keeps only %d bytes: the test tests nothing", most)
	}
	p.empty()
	testrun.Equal(t, 0, p.kept(), "bytes that are kept after all was given back")
	testrun.Equal(t, 0, tr.store.arena.out, "bytes that count as used")
}

// A magazine that is emptied and filled alternately grows until the worker needs no lock.
func TestMagazineGrows(t *testing.T) {
	tr := newTracer(t, 1, 0)
	round := func() { tr.destroyAll(0, tr.group(0, 100<<10, always(256))) }
	for range 20 {
		round()
	}
	before := tr.store.arena.out
	m := &tr.locals[0].mem.magazines[3]
	if m.n < 400 {
		t.Errorf("%d blocks of 256 bytes are kept where 400 are used in turn", m.n)
	}
	tr.store.arena.mu.Lock() // a worker that locks the arena now hangs
	round()
	tr.store.arena.mu.Unlock()
	testrun.Equal(t, before, tr.store.arena.out, "bytes in use after blocks were given back")
}

// An idle worker returns its free memory if the arena asks for it: that may complete many spans.
func TestIdleWorkerGivesBack(t *testing.T) {
	tr := newTracer(t, 2, 0)
	tr.unbounded = true
	idle := &tr.locals[1]
	tr.shuffled(tr.group(0, 64*10*fineSpan, always(64)), func(k int) int { return k % 2 })
	idle.GiveBack()
	tr.store.arena.asked.Add(1)
	if !idle.Asked() || idle.mem.kept() == 0 {
		t.Fatal("the worker keeps nothing, or was not asked: the test tests nothing")
	}
	idle.GiveBack()
	if n := idle.mem.kept(); n != 0 || idle.Asked() {
		t.Errorf("an idle worker keeps %d bytes though it was asked", n)
	}
}

// If every span has a block in use, the arena asks the workers, but not at each step.
func TestWorkersAreAskedNowAndThen(t *testing.T) {
	tr := newTracer(t, 1, 0)
	tr.unbounded = true
	given := 0
	for k, b := range tr.group(0, 4*groupBytes, always(64)) {
		if k%(fineSpan/64) != 0 {
			tr.destroy(0, b)
			given += b.bytes
		}
	}
	asked := int(tr.store.arena.asked.Load())
	if asked == 0 || asked > given/askShare+1 {
		t.Errorf("the worker was asked %d times while it gave %d bytes back", asked, given)
	}
}

// The memory of large blocks that is not used again is left to the collector.
func TestLargeMemoryIsDropped(t *testing.T) {
	tr := newTracer(t, 1, 0)
	tr.destroyAll(0, tr.group(0, 64<<20, always(1<<20)))
	if held := tr.store.arena.held; held > 34<<20 {
		t.Errorf("%d bytes are held after 64 MiB were destroyed", held)
	}
	pages := 0
	for _, r := range tr.store.arena.pages.regions {
		for _, s := range r {
			if s != nil {
				pages++
			}
		}
	}
	testrun.Equal(t, int(tr.store.arena.held>>20), pages, "spans that are known, of those held")
}
