package datablock

import (
	"math/bits"
	"sync"
	"unsafe"
)

// Block memory comes in size classes: multiples of a cache line up to 1 KiB, then
// four classes to a doubling. Small classes are cut from arenas, and freed to the
// pool of the worker. A block of more than largeSize has memory of its own, which
// is freed to a shared list, and from there to the collector above spareBytes or
// when the limit is reached. In a steady state nothing is allocated.
const (
	lineSize   = 64
	fineLimit  = 1024
	fineCount  = fineLimit / lineSize
	arenaSize  = 256 << 10
	largeSize  = 32 << 10
	poolBytes  = 1 << 20 // above this, half of a class's free memory goes to the shared list
	spareBytes = 64 << 20
	maxLog     = 37
	numClasses = fineCount + 4*(maxLog-10)
	largeClass = fineCount + 4*(15-10) // the first above largeSize
	keepRecord = 1 << 7                // beside the class: the record's place has no generations left

	// MaxSize is the largest block, in bytes.
	MaxSize = 1 << maxLog
)

// sizeClass returns the class for a size of at least 1 and the bytes it takes.
func sizeClass(size int) (class uint8, bytes int) {
	if size <= fineLimit {
		n := (size + lineSize - 1) / lineSize
		return uint8(n - 1), n * lineSize
	}
	k := bits.Len(uint(size-1)) - 1 // 2^k < size <= 2^(k+1)
	step := 1 << (k - 2)
	quarter := (size - 1 - 1<<k) / step
	return uint8(fineCount + 4*(k-10) + quarter), 1<<k + (quarter+1)*step
}

// An arena is the source of all block memory of a run, and what keeps it alive.
type arena struct {
	limit uint64

	mu         sync.Mutex
	held       uint64             // bytes in keep
	keep       map[uintptr][]byte // all memory of the run, by address
	spare      [numClasses][]uintptr
	spareLarge int // bytes of large blocks in spare
}

// grab returns fresh zeroed memory of exactly n bytes, aligned to a line.
func (a *arena) grab(n int) (uintptr, error) {
	a.mu.Lock()
	if a.limit != 0 && a.held+uint64(n) > a.limit {
		a.dropSpares()
	}
	if a.limit != 0 && (uint64(n) > a.limit || a.held > a.limit-uint64(n)) {
		a.mu.Unlock()
		return 0, ErrNoMemory
	}
	a.held += uint64(n)
	a.mu.Unlock()

	// Large allocations of Go start on a page; the first touch is the caller's.
	buf := make([]byte, n)
	addr := uintptr(unsafe.Pointer(unsafe.SliceData(buf)))
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keep == nil {
		a.keep = make(map[uintptr][]byte)
	}
	a.keep[addr] = buf
	return addr, nil
}

// dropSpares leaves the spare memory of large blocks to the collector. The caller
// holds the lock.
func (a *arena) dropSpares() {
	for class := largeClass; class < numClasses; class++ {
		for _, addr := range a.spare[class] {
			a.drop(addr)
		}
		a.spare[class] = nil
	}
	a.spareLarge = 0
}

func (a *arena) drop(addr uintptr) {
	a.held -= uint64(len(a.keep[addr]))
	delete(a.keep, addr)
}

// giveLarge takes the memory of a large block back.
func (a *arena) giveLarge(class uint8, addr uintptr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.keep[addr])
	if a.spareLarge+n > spareBytes {
		a.drop(addr)
		return
	}
	a.spareLarge += n
	a.spare[class] = append(a.spare[class], addr)
}

func (a *arena) takeSpare(class uint8) (uintptr, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.spare[class]
	if len(list) == 0 {
		return 0, false
	}
	addr := list[len(list)-1]
	a.spare[class] = list[:len(list)-1]
	if class >= largeClass {
		a.spareLarge -= len(a.keep[addr])
	}
	return addr, true
}

func (a *arena) giveSpare(class uint8, addrs []uintptr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spare[class] = append(a.spare[class], addrs...)
}

// A pool is one worker's free block memory.
type pool struct {
	arena      *arena
	next, end  uintptr
	free       [numClasses][]uintptr
	classBytes [numClasses]int
}

// get returns memory for a block of size bytes. Fresh memory is zero and was never
// touched: who writes it first places it.
func (p *pool) get(size int) (addr uintptr, class uint8, fresh bool, err error) {
	if uint64(size) > MaxSize {
		return 0, 0, false, ErrNoMemory
	}
	class, bytes := sizeClass(size)
	if list := p.free[class]; len(list) > 0 {
		p.free[class] = list[:len(list)-1]
		return list[len(list)-1], class, false, nil
	}
	addr, fresh, err = p.refill(class, bytes)
	return addr, class, fresh, err
}

func (p *pool) refill(class uint8, bytes int) (addr uintptr, fresh bool, err error) {
	p.classBytes[class] = bytes
	if addr, ok := p.arena.takeSpare(class); ok {
		return addr, false, nil
	}
	if bytes > largeSize {
		addr, err = p.arena.grab(bytes)
		return addr, true, err
	}
	if p.end-p.next < uintptr(bytes) {
		start, err := p.arena.grab(arenaSize)
		if err != nil { // little is left: just this block then
			addr, err = p.arena.grab(bytes)
			return addr, true, err
		}
		p.next, p.end = start, start+arenaSize
	}
	addr = p.next
	p.next += uintptr(bytes)
	return addr, true, nil
}

func (p *pool) put(addr uintptr, class uint8) {
	if class >= largeClass {
		p.arena.giveLarge(class, addr)
		return
	}
	list := append(p.free[class], addr)
	if len(list) > 1 && len(list)*p.bytesOf(class) > poolBytes {
		half := len(list) / 2
		p.arena.giveSpare(class, list[:half])
		list = list[:copy(list, list[half:])]
	}
	p.free[class] = list
}

// bytesOf returns the size of a class that this worker may never have filled.
func (p *pool) bytesOf(class uint8) int {
	if n := p.classBytes[class]; n != 0 {
		return n
	}
	n := classBytes(class)
	p.classBytes[class] = n
	return n
}

func classBytes(class uint8) int {
	if class < fineCount {
		return (int(class) + 1) * lineSize
	}
	k, quarter := 10+int(class-fineCount)/4, int(class-fineCount)%4
	return 1<<k + (quarter+1)*(1<<(k-2))
}
