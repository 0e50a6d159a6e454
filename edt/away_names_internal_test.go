package edt

import (
	"math/rand/v2"
	"testing"

	"ocr/internal/core/ids"
)

// Names are found while their EDTs are here, in whatever order these go, also if pages are used again.
func TestRemoteNames(t *testing.T) {
	b := &remoteNames{by: make([]namesFrom, 2)}
	here, gone := map[uint64]uint32{}, map[uint64]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	free := uint32(1)
	records := []uint32{}
	for step := range 40 * namePageLen {
		for lo, want := range here { // one of them
			if i, early := b.find(lo); i != want || early || b.name(i) != lo {
				t.Fatalf("%x: record %d, want %d; early %v; its name %x", lo, i, want, early, b.name(i))
			}
			break
		}
		if grows := step/(4*namePageLen)%2 == 0; grows || len(here) == 0 {
			i := free
			if n := len(records); n > 0 {
				i, records = records[n-1], records[:n-1]
			} else {
				free += uint32(random.IntN(3000)) + 1
			}
			maker := random.IntN(2)
			if lo := ids.RemoteName(maker, b.by[maker].seen); b.name(i) != 0 {
				t.Fatalf("record %d has name %x", i, b.name(i))
			} else if _, early := b.find(lo); !early {
				t.Fatalf("%x is not early", lo)
			} else if got := b.add(maker, i); got != lo {
				t.Fatalf("named %x, want %x", got, lo)
			} else {
				here[lo] = i
			}
			continue
		}
		for lo, i := range here {
			b.forget(i)
			delete(here, lo)
			gone[lo], records = true, append(records, i)
			break
		}
	}
	for lo := range gone {
		if i, early := b.find(lo); i != 0 || early {
			t.Errorf("%x is gone: record %d, early %v", lo, i, early)
		}
	}
	for k := range b.by {
		if n := len(b.by[k].pages); n*namePageLen > int(b.by[k].seen) {
			t.Errorf("maker %d: %d pages for %d names", k, n, b.by[k].seen)
		}
	}
}
