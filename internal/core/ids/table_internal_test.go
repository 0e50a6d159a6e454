package ids

import (
	"iter"
	goruntime "runtime"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

type record struct {
	Header
	owner int
}

func newTable(t testing.TB, caches int) (*Table[record], []*Cache[record]) {
	table := new(Table[record])
	table.Init(new(Stock[record]))
	t.Cleanup(table.Close)
	all := make([]*Cache[record], caches)
	for k := range all {
		all[k] = new(Cache[record])
		all[k].Init(table, nil)
	}
	return table, all
}

// A record's last generation is used, and no other follows.
func TestPlaceIsRetiredAfterItsLastGeneration(t *testing.T) {
	table, caches := newTable(t, 1)
	c := caches[0]
	i := c.Get()
	r := table.At(i)
	r.tag = lastTag - 1
	if !r.Expire() || r.Tag() != lastTag {
		t.Fatalf("tag %x, want the last one", r.Tag())
	}
	last := r.Low(i)
	if last>>62 != 2 || table.Lookup(last) != r {
		t.Fatalf("low word %x", last)
	}
	if r.Expire() {
		t.Fatal("the place may be reused after its last generation")
	}
	for _, lo := range []uint64{last, uint64(firstTag)<<32 | uint64(i), uint64(lastTag)<<32 | uint64(i)} {
		if table.Lookup(lo) != nil {
			t.Errorf("%x is found in a retired place", lo)
		}
	}
}

// Memory that was returned with a retired record can be used again: the next table belongs to another run.
func TestRetiredPlacesRestartInTheNextTable(t *testing.T) {
	stock, table, c := new(Stock[record]), new(Table[record]), new(Cache[record])
	table.Init(stock)
	c.Init(table, nil)
	r := c.At(c.Get())
	r.tag = retired
	table.Close()
	table.Init(stock)
	c.Init(table, nil)
	if i := c.Get(); table.At(i) != r || r.Tag() != firstTag {
		t.Errorf("the same record: %v, tag %x, want %x", table.At(i) == r, table.At(i).Tag(), firstTag)
	}
	table.Close()
}

func TestIndexZeroIsNeverHandedOut(t *testing.T) {
	table, caches := newTable(t, 2)
	seen := map[uint32]bool{}
	for n := range 3 * ChunkLen {
		i := caches[n%2].Get()
		if i == 0 || seen[i] {
			t.Fatalf("index %d", i)
		}
		seen[i] = true
	}
	testrun.Equal(t, len(seen), count(table), "records that Each visits")
}

func count(table *Table[record]) (n int) {
	seen := map[uint32]bool{}
	table.Each(func(i uint32, rec *record) {
		if rec == table.At(i) && !seen[i] && i != 0 {
			n++
		}
		seen[i] = true
	})
	return n
}

func TestFindOfWhatWasNeverHandedOut(t *testing.T) {
	table, caches := newTable(t, 1)
	caches[0].Get()
	for _, i := range []uint32{ChunkLen, maxRecords - 1, maxRecords, 1 << 31, ^uint32(0)} {
		if table.Find(i) != nil || table.Lookup(uint64(firstTag)<<32|uint64(i)) != nil {
			t.Errorf("record %d is found", i)
		}
	}
	for _, lo := range []uint64{7, 0, firstTag<<32 | 7, retired<<32 | 1} {
		if table.Lookup(lo) != nil {
			t.Errorf("low word %x is found: the record was not carved, or is record 0", lo)
		}
	}
}

// A worker that only gets records and a worker that only puts them circulate the same records. No record is handed out
// while it is in use, and its low word is found until it expires.
func TestRecordsCirculateBetweenCaches(t *testing.T) {
	table, caches := newTable(t, 2)
	var inFlight []uint32
	for range 20 * ChunkLen {
		i := caches[0].Get()
		if inFlight = append(inFlight, i); table.At(i).owner != 0 {
			t.Fatalf("record %d is in use", i)
		}
		table.At(i).owner = 1
		if len(inFlight) == cacheLen {
			for _, i := range inFlight {
				r, lo := table.At(i), table.At(i).Low(i)
				if table.Lookup(lo) != r || !r.Expire() || table.Lookup(lo) != nil {
					t.Fatalf("%x is lost, or found after its end", lo)
				}
				r.owner = 0
				caches[1].Put(i)
			}
			inFlight = inFlight[:0]
		}
	}
	testrun.Equal(t, 1, table.used, "chunks for %d records at a time", 2*cacheLen)
}

func TestTableIsFull(t *testing.T) {
	table, caches := newTable(t, 1)
	c := caches[0]
	first := c.Get()
	table.used = maxRecords/ChunkLen + 1 // as if all chunks were used
	for c.next < c.limit {
		if c.Get() == 0 {
			t.Fatal("full before the last chunk was used up")
		}
	}
	testrun.Equal(t, 0, c.Get(), "a record beyond the last chunk")
	table.used = 1
	c.Put(first)
	testrun.Equal(t, first, c.Get(), "the record of a full table")
}

func TestClosedTableIsEmpty(t *testing.T) {
	table, caches := newTable(t, 1)
	lo := uint64(0)
	for range ChunkLen {
		i := caches[0].Get()
		lo = table.At(i).Low(i)
	}
	table.Close()
	if table.Find(1) != nil || table.Lookup(lo) != nil || count(table) != 0 || caches[0].Get() != 0 {
		t.Error("records are left in a closed table")
	}
	table.Close() // a second Close does nothing
}

// Tables that are open at the same time have different memory, which is zero at first.
func TestTablesAreApart(t *testing.T) {
	stock := new(Stock[record])
	for range 2 { // the second time memory comes from the stock
		var tables [3]Table[record]
		for k := range tables {
			tables[k].Init(stock)
			c := new(Cache[record])
			c.Init(&tables[k], nil)
			for n := range 2*ChunkLen + 5 {
				i := c.Get()
				if o := c.At(i).owner; o < 0 || o > 3 {
					t.Fatalf("record %d of table %d: owner %d", n, k, o)
				}
				c.At(i).owner = k + 1
			}
		}
		for k := range tables {
			tables[k].Each(func(i uint32, r *record) {
				testrun.Equal(t, k+1, r.owner, "owner of record %d of table %d", i, k)
			})
			tables[k].Close()
		}
	}
}

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

// TestOwner: the owner and its coroutines count as the owner, another goroutine does not.
func TestOwner(t *testing.T) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	own := Owning()
	next, stop := iter.Pull(func(yield func(bool) bool) { yield(own.Calls()) })
	defer stop()
	if in, _ := next(); !in || !own.Calls() {
		t.Errorf("coroutine %v, goroutine itself %v: want both to count as the owner", in, own.Calls())
	}
	other := make(chan bool)
	go func() { other <- own.Calls() }()
	if <-other && sys.Goroutine() != 0 {
		t.Error("another goroutine counts as the owner")
	}
	if !new(Owner).Calls() {
		t.Error("the zero Owner refuses a call")
	}
}
