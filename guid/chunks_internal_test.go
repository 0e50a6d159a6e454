package guid

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
