package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"ocr/internal/proof/testrun"
	"ocr/task"
)

// TestWordsKnowTheLatestWriterOfEachByte compares random changes of a page with a table of its bytes.
func TestWordsKnowTheLatestWriterOfEachByte(t *testing.T) {
	const pageWords = 12
	for seed := range testrun.Sized[uint64](1_000, 10_000, 300_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var ws words
		var latest [pageWords * word]int
		for by := 1; by <= 7+int(seed%100/99)*300; by++ {
			lo := r.IntN(pageWords)
			mask := make([]byte, 1+r.IntN(pageWords-lo))
			for w := range mask {
				switch r.IntN(3) {
				case 0:
					mask[w] = byte(1 + r.IntN(255))
				case 1:
					mask[w] = 0xFF
				}
			}
			over, beside := map[moment]bool{}, map[moment]bool{}
			now := latest
			for w, bytes := range mask {
				for k := range word {
					old := moment(latest[(lo+w)*word+k])
					if bytes>>k&1 != 0 {
						over[old], now[(lo+w)*word+k] = true, by
					} else if bytes != 0 {
						beside[old] = true
					}
				}
			}
			latest = now
			delete(over, 0)
			ws.change(pageWords, lo, mask, writer{by: cause{at: moment(by)}}, func(old writer, m *meeting) {
				if m.same != over[old.by.at] || !m.same && !beside[old.by.at] || m.lo < lo || m.hi > lo+len(mask) || m.lo >= m.hi {
					t.Fatalf("seed %d: change %d meets %d in words %d to %d, same %v", seed, by, old.by.at, m.lo, m.hi-1, m.same)
				}
				delete(over, old.by.at)
			})
			if len(over) > 0 {
				t.Fatalf("seed %d: change %d is not known to be over those of %v", seed, by, over)
			}
		}
		for at, by := range latest {
			found := 0
			if old := ws.last[at]; old != 0 {
				found = int(ws.writers[old-1].by.at)
			}
			if found != by {
				t.Fatalf("seed %d: byte %d was changed last by %d, not by %d", seed, at, by, found)
			}
		}
		if len(ws.writers) > 2*pageWords*word {
			t.Fatalf("seed %d: %d writers are kept", seed, len(ws.writers))
		}
	}
}

// TestLayouts: which bytes are written with a byte that is changed.
func TestLayouts(t *testing.T) {
	type mixed struct {
		A int32
		B int8
		C float64
		D [2]int16
	}
	for _, tt := range []struct {
		of      reflect.Type
		byte    int // of a block
		written string
	}{
		{reflect.TypeFor[byte](), 3, "3-3"},
		{reflect.TypeFor[int16](), 13, "12-13"},
		{reflect.TypeFor[[3]byte](), 10, "10-10"},
		{reflect.TypeFor[int32](), 3, "0-3"},
		{reflect.TypeFor[[3]int32](), 15, "12-15"},
		{reflect.TypeFor[float64](), 9, "8-15"},
		{reflect.TypeFor[complex128](), 25, "24-31"},
		{reflect.TypeFor[complex64](), 5, "4-7"},
		{reflect.TypeFor[mixed](), 24 + 2, "24-27"},
		{reflect.TypeFor[mixed](), 24 + 4, "28-28"},
		{reflect.TypeFor[mixed](), 24 + 5, "29-29"}, // nothing is there
		{reflect.TypeFor[mixed](), 24 + 8, "32-39"},
		{reflect.TypeFor[mixed](), 24 + 19, "42-43"},
		{reflect.TypeFor[task.Headed[[3]int32, int16]](), 4, "4-7"},
		{reflect.TypeFor[task.Headed[[3]int32, int16]](), 15, "15-15"},
		{reflect.TypeFor[task.Headed[[3]int32, int16]](), 17, "16-17"},
	} {
		l := layoutOf(tt.of)
		first, last := -1, -1
		for b := range word {
			if l.numbers(tt.byte/word, 1<<(tt.byte%word))>>b&1 != 0 {
				if last = tt.byte/word*word + b; first < 0 {
					first = last
				}
			}
		}
		testrun.Equal(t, tt.written, fmt.Sprintf("%d-%d", first, last), "%v: written with byte %d", tt.of, tt.byte)
	}
	if layoutOf(nil) != nil || layoutOf(reflect.TypeFor[[1 << 20]int64]()) != nil {
		t.Error("an unknown type has a layout, or a very large one")
	}
	testrun.Equal(t, 0x12, (*layout)(nil).numbers(3, 0x12), "bytes of an unknown type")
}
