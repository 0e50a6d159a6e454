package ids

import "testing"

// TestReserve: no GUID finds a reserved record until it is confirmed, and it is reserved for one GUID only. A record
// without generations left is reserved for none.
func TestReserve(t *testing.T) {
	var table Table[struct{ Header }]
	table.Init(new(Stock[struct{ Header }]))
	defer table.Close()
	var c Cache[struct{ Header }]
	c.Init(&table, nil)
	for _, tag := range []uint32{firstTag, firstTag + 1, lastTag} {
		i := c.Get()
		r := table.At(i)
		r.tag = tag
		lo := r.Low(i)
		r.Reserve()
		if table.Lookup(lo) != nil || !table.Reserved(lo) {
			t.Errorf("tag %x: found %v, reserved %v", tag, table.Lookup(lo) != nil, table.Reserved(lo))
		}
		if table.Reserved(lo+1<<32) || table.Reserved(lo^1<<63) || table.Reserved(lo+ChunkLen) {
			t.Errorf("tag %x: reserved for another name", tag)
		}
		if r.Confirm(); table.Lookup(lo) != r || table.Reserved(lo) {
			t.Errorf("tag %x, confirmed: found %v, reserved %v", tag, table.Lookup(lo) == r, table.Reserved(lo))
		}
	}
	i := c.Get()
	r := table.At(i)
	for r.tag = lastTag; r.Expire(); {
	}
	for _, tag := range []uint64{firstTag, firstTag + 1, lastTag} {
		if table.Reserved(tag<<32 | uint64(i)) {
			t.Errorf("a retired place is reserved for tag %x", tag)
		}
	}
}
