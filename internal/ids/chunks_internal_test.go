package ids

import "testing"

func TestChunksAreDistinctAndZero(t *testing.T) {
	var s Chunks[record]
	seen := map[*Chunk[record]]bool{}
	for n := range 3*heapChunks + 1 {
		c := s.get()
		if seen[c] {
			t.Fatalf("chunk %d is handed out twice", n)
		}
		seen[c] = true
		for k := range c {
			if c[k] != (record{}) {
				t.Fatalf("record %d of a new chunk: %+v", k, c[k])
			}
			c[k].owner = n + 1
		}
	}
	owners := map[int]bool{}
	for c := range seen {
		for k := range c {
			if c[k].owner != c[0].owner {
				t.Fatal("two chunks overlap")
			}
		}
		owners[c[0].owner] = true
	}
	if len(owners) != len(seen) {
		t.Errorf("%d owners of %d chunks", len(owners), len(seen))
	}
}

// Records keep their tags from run to run; chunks with pointers keep nothing alive.
func TestChunksComeBack(t *testing.T) {
	for _, pointers := range []bool{false, true} {
		s := Chunks[record]{Pointers: pointers}
		c := s.get()
		c[5].tag = firstTag + 7
		s.put(c)
		if again := s.get(); again != c {
			t.Errorf("pointers=%v: another chunk than the one put back", pointers)
		} else if kept := again[5].tag != 0; kept == pointers {
			t.Errorf("pointers=%v: tag %x", pointers, again[5].tag)
		}
	}
}

// What a stock holds above its limit is given back to the system: it is zero again. What
// is below the limit, and what is on the Go heap, stays as it is.
func TestLargeStockGivesPagesBack(t *testing.T) {
	if mapOnHeap {
		t.Skip("all chunks are on the Go heap")
	}
	type large struct {
		Header
		rest [255]uint32
	}
	const size = ChunkLen * 1024
	var s Chunks[large]
	chunks := make([]*Chunk[large], heapChunks+stockBytes/size+4)
	for k := range chunks {
		chunks[k] = s.get()
		chunks[k][7].rest[3] = 1
	}
	before := len(s.free) // the rest of a region
	for k := len(chunks) - 1; k >= 0; k-- {
		s.put(chunks[k])
	}
	for n := range chunks {
		c := chunks[len(chunks)-1-n]
		dropped := (before+n)*size > stockBytes && !s.onHeap[c]
		if gone := c[7].rest[3] == 0; gone != dropped {
			t.Errorf("chunk %d given back: dropped %v, want %v", n, gone, dropped)
		}
	}
}
