package block

import (
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/internal/proof/testrun"
)

// openStore makes an empty store.
func openStore(limit uint64) *Store {
	s := new(Store)
	s.Open(limit)
	return s
}

// A store that is opened again has the first span of its last run, if its limit allows it, and no other memory. New
// blocks are zeroed.
func TestStoreOpenedAgain(t *testing.T) {
	s := openStore(0)
	for _, limit := range []uint64{0, 1 << 20, 0, 1000, 1 << 20} {
		s.Open(limit)
		for _, blocks := range []int{1, 1000, 1} {
			var l Local
			l.Init(s, nil)
			for n := range blocks {
				_, r, err := l.Create(1+n, true)
				if limit == 1000 {
					if err == nil {
						t.Fatal("a block where there is no room for a span")
					}
					break
				}
				testrun.OK(t, err)
				for k, b := range r.Bytes() {
					if b != 0 {
						t.Fatalf("byte %d of a new block is %d", k, b)
					}
				}
				for k := range r.Bytes() {
					r.Bytes()[k] = 0xa5
				}
			}
			if s.Close(); s.arena.held > fineSpan || s.arena.out != 0 {
				t.Errorf("%d bytes are held, %d are out", s.arena.held, s.arena.out)
			}
			s.Open(limit)
		}
		s.Close()
	}
}

func TestSizeClasses(t *testing.T) {
	last, lastBytes := uint8(0), 0
	check := func(size int) {
		class, bytes := sizeClass(size)
		if bytes < size || int(class) >= numClasses || bytes%lineSize != 0 || classBytes(class) != bytes {
			t.Fatalf("%d bytes: class %d of %d, which has %d", size, class, bytes, classBytes(class))
		}
		if class < last || class == last && bytes != lastBytes && last != 0 {
			t.Fatalf("%d bytes: class %d of %d after class %d of %d", size, class, bytes, last, lastBytes)
		}
		if bytes-size >= max(lineSize, size/4+1) {
			t.Fatalf("%d bytes: class of %d", size, bytes)
		}
		last, lastBytes = class, bytes
	}
	for size := 1; size <= 1<<14; size++ {
		check(size)
	}
	for shift := 14; shift < maxLog; shift++ {
		for _, size := range []int{1<<shift + 1, 5 << (shift - 2), 5<<(shift-2) + 1, 7 << (shift - 2), 2<<shift - 1,
			2 << shift} {
			check(size)
		}
	}
	if class, bytes := sizeClass(datablock.MaxSize); bytes != datablock.MaxSize || int(class) != numClasses-1 ||
		class&keepRecord != 0 {
		t.Errorf("the largest block: class %d of %d, %d bytes", class, numClasses, bytes)
	}
}

// When a record has had its last generation, it is not reused, but the block's memory is freed.
func TestRecordIsKeptBackAfterItsLastGeneration(t *testing.T) {
	for how := range 3 { // free, held and released later, destroyed by its holder
		held := how > 0
		s := openStore(0)
		var l Local
		l.Init(s, nil)
		i, r, err := l.Create(100, held)
		testrun.OK(t, err)
		addr := r.addr
		*(*uint32)(unsafe.Pointer(&r.Header)) = 1<<31 | 1<<30 - 1
		low := r.Low(i)
		if how == 2 {
			l.DestroyHeld(i, r, datablock.RW, nil)
		} else if l.Destroy(i, r); held {
			l.Release(i, r, datablock.RW, nil)
		}
		if s.Lookup(low) != nil || r.Live() {
			t.Errorf("way %d: found after its destruction", how)
		}
		j, again, err := l.Create(100, false)
		if err != nil || j == i || again.addr != addr {
			t.Errorf("way %d: place %d reused as %d, memory %x as %x, %v", how, i, j, addr, again.addr, err)
		}
		s.Close()
	}
}
