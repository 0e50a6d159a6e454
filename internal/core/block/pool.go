package block

import "ocr/datablock"

// A pool is one worker's free block memory. Only its worker uses it.
//
// For each class a worker keeps at most a magazine of magazineBytes and a run of runBytes (if a block is larger, one
// block each), and extraBytes more for all classes together. The sum is less than 0.85 MiB.
type pool struct {
	arena     *arena
	extra     int    // by how many bytes the magazines together may still grow
	answered  uint32 // the value of arena.asked when the worker last gave its memory back
	magazines [largeClass]magazine
}

// A magazine is a worker's free blocks of one class: blocks that were used before, and a run of blocks that were never
// used.
type magazine struct {
	addrs     []uintptr // free blocks that were used before; the length is the magazine's capacity
	n         uint      // how many of addrs are set
	next, end uintptr   // the run
	refilled  bool      // the arena has refilled it since the worker last returned blocks
}

const (
	magazineBytes = 8 << 10
	magazineLen   = 64
	runBytes      = 8 << 10
	extraBytes    = 256 << 10
)

func (p *pool) init(a *arena) {
	p.arena, p.extra = a, extraBytes
	a.mu.Lock()
	a.workers++
	a.mu.Unlock()
}

// get returns memory for a block of size bytes. Fresh memory is zeroed and was never touched: the thread that first
// writes it determines its NUMA node. An empty block has address 0.
func (p *pool) get(size int) (addr uintptr, class uint8, fresh bool, err error) {
	switch {
	case size == 0:
		return 0, emptyClass, true, nil
	case uint64(size) > largeSize:
		return p.getLarge(size)
	}
	class, bytes := sizeClass(size)
	m := &p.magazines[class]
	if n := m.n - 1; n < uint(len(m.addrs)) {
		m.n = n
		return m.addrs[n], class, false, nil
	}
	addr, fresh, err = p.refill(class, bytes)
	return addr, class, fresh, err
}

func (p *pool) getLarge(size int) (addr uintptr, class uint8, fresh bool, err error) {
	if uint64(size) > datablock.MaxSize {
		return 0, 0, false, ErrNoMemory
	}
	class, _ = sizeClass(size)
	var one [1]uintptr
	n, next, _, err := p.take(class, one[:], 1)
	if n == 0 {
		return next, class, true, err
	}
	return one[0], class, false, nil
}

// refill returns a block of a class whose magazine has no used block: at next, or from the arena.
func (p *pool) refill(class uint8, bytes int) (addr uintptr, fresh bool, err error) {
	m := &p.magazines[class]
	if m.next == m.end {
		if m.addrs == nil {
			m.addrs = make([]uintptr, fewest(bytes))
		}
		n, next, end, err := p.take(class, m.addrs[:(len(m.addrs)+1)/2], max(1, runBytes/bytes))
		if err != nil {
			return 0, false, err
		}
		if n > 0 {
			m.n, m.refilled = uint(n-1), true
			return m.addrs[n-1], false, nil
		}
		m.next, m.end = next, end
	}
	addr = m.next
	m.next += uintptr(bytes)
	return addr, true, nil
}

// take is arena.take. If the arena refuses, the worker returns its free memory and tries again.
func (p *pool) take(class uint8, list []uintptr, most int) (n int, next, end uintptr, err error) {
	p.answer()
	n, next, end, err = p.arena.take(class, list, most)
	if err != nil {
		p.empty()
		return p.arena.take(class, list, most)
	}
	return n, next, end, nil
}

// fewest returns the initial capacity of a magazine, which is also its smallest.
func fewest(bytes int) int { return min(magazineLen, max(1, magazineBytes/bytes)) }

func (p *pool) put(addr uintptr, class uint8) {
	if class < largeClass {
		m := &p.magazines[class]
		if m.n < uint(len(m.addrs)) {
			m.addrs[m.n] = addr
			m.n++
			return
		}
	}
	p.spill(addr, class)
}

// spill takes back a block whose magazine is full, or that belongs in no magazine.
func (p *pool) spill(addr uintptr, class uint8) {
	if class == emptyClass {
		return
	}
	if class >= largeClass {
		p.arena.give(class, []uintptr{addr})
		p.answer()
		return
	}
	m := &p.magazines[class]
	if m.addrs == nil {
		m.addrs = make([]uintptr, fewest(classBytes(class)))
	} else if !p.grow(m, classBytes(class)) {
		// The blocks in front were returned first: their memory is the least likely to be cached.
		half := (len(m.addrs) + 1) / 2
		p.arena.give(class, m.addrs[:half])
		m.n = uint(copy(m.addrs, m.addrs[half:]))
		m.refilled = false
	}
	m.addrs[m.n] = addr
	m.n++
	p.answer()
}

// grow doubles the capacity of a magazine that is emptied and filled alternately. If extra is too small, it shrinks the
// magazines of other classes first.
func (p *pool) grow(m *magazine, bytes int) bool {
	n := len(m.addrs)
	if !m.refilled || n*bytes > extraBytes {
		return false
	}
	if n*bytes > p.extra {
		p.shrink(m)
	}
	if n*bytes > p.extra {
		return false
	}
	p.extra -= n * bytes
	if cap(m.addrs) < 2*n {
		m.addrs = append(make([]uintptr, 0, 2*n), m.addrs...)
	}
	m.addrs, m.refilled = m.addrs[:2*n], false
	return true
}

// shrink reduces all magazines but one to their initial capacity.
func (p *pool) shrink(but *magazine) {
	for class := range p.magazines {
		m, bytes := &p.magazines[class], classBytes(uint8(class))
		least := fewest(bytes)
		if m == but || len(m.addrs) <= least {
			continue
		}
		if m.n > uint(least) {
			p.arena.give(uint8(class), m.addrs[least:m.n])
			m.n = uint(least)
		}
		p.extra += (len(m.addrs) - least) * bytes
		m.addrs = m.addrs[:least]
	}
}

// answer returns the worker's free memory to the arena if the arena has asked for it.
func (p *pool) answer() {
	if p.arena.asked.Load() != p.answered {
		p.empty()
	}
}

// empty returns the worker's free memory to the arena.
func (p *pool) empty() {
	p.answered = p.arena.asked.Load()
	for class := range p.magazines {
		m := &p.magazines[class]
		if m.n > 0 {
			p.arena.give(uint8(class), m.addrs[:m.n])
			m.n = 0
		}
		for bytes := uintptr(classBytes(uint8(class))); m.next < m.end; m.next += bytes {
			p.arena.give(uint8(class), []uintptr{m.next})
		}
	}
}
