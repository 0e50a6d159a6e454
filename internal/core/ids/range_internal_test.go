//go:build linux && !race

package ids

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"unsafe"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

type large struct {
	Header
	rest [255]uint32
}

// use opens a table of the stock and marks n of its records.
func use(t *testing.T, stock *Stock[large], n int) (table *Table[large], first *large) {
	table = new(Table[large])
	table.Init(stock)
	c := new(Cache[large])
	c.Init(table, nil)
	for k := range n {
		i := c.Get()
		if i == 0 {
			t.Fatalf("full after %d records", k)
		}
		if k == 0 {
			first = c.At(i)
		}
		c.At(i).rest[3] = 1
	}
	return table, first
}

// The memory of a stock above its limit is returned to the system, and reads as zero. The memory below the limit keeps
// its contents, and the range is used again.
func TestStockGivesPagesBack(t *testing.T) {
	var stock Stock[large]
	const records = (stockBytes + 8<<20) / 1024
	table, first := use(t, &stock, records)
	last := table.At(records - 1)
	table.Close()
	if first.rest[3] != 1 || last.rest[3] != 0 {
		t.Errorf("first record %d, last one %d: want 1 and 0", first.rest[3], last.rest[3])
	}
	testrun.Equal(t, stockBytes, stock.kept, "bytes kept")
	a, again := use(t, &stock, 1)
	if again != first || stock.kept != 0 {
		t.Errorf("the range is not used again, or %d bytes are counted as kept", stock.kept)
	}
	b, other := use(t, &stock, 1) // a second range, as the stock is empty
	a.Close()
	b.Close()
	if stock.kept != 2*int(unsafe.Sizeof(Chunk[large]{})) || other == first {
		t.Errorf("%d bytes are kept of two ranges with a chunk each", stock.kept)
	}
	if takesMemory(uintptr(unsafe.Pointer(last))) {
		t.Error("the last record still takes memory")
	}
}

// takesMemory reports whether the page at an address takes memory; false if the system does not say: see
// proc_pid_pagemap(5).
func takesMemory(at uintptr) bool {
	pages, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return false
	}
	defer pages.Close()
	var entry [8]byte
	_, err = pages.ReadAt(entry[:], int64(at)/int64(sys.Page)*8)
	return err == nil && binary.NativeEndian.Uint64(entry[:])>>62 != 0 // present, or swapped out
}

// If addresses are limited, each table has room for as many records as memory has, and takes addresses only for these.
func TestFewAddresses(t *testing.T) {
	const inside = "OCR_TEST_FEW_ADDRESSES"
	if os.Getenv(inside) == "" {
		self, err := os.Executable()
		testrun.OK(t, err)
		for _, kib := range []string{"1900000", "16000000"} { // .ci/full runs ocrbench with 1900 MiB
			cmd := exec.Command("sh", "-c", "ulimit -v "+kib+`; exec "$0" -test.run='^TestFewAddresses$|^TestStock'`, self)
			cmd.Env = append(os.Environ(), inside+"=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s KiB: %v\n%s", kib, err, out)
			}
		}
		return
	}
	if sys.AddressSpace() == 0 {
		t.Fatal("no limit")
	}
	if most := sys.TotalMemory(); most > sys.AddressSpace()/2 {
		t.Errorf("the process can use %d bytes of memory", most)
	}
	stock := new(Stock[record])
	before := addresses(t)
	for k := range 40 {
		table, c := new(Table[record]), new(Cache[record])
		table.Init(stock)
		c.Init(table, nil)
		n := 100
		if k == 0 {
			n = 4 << 20 // 64 MiB
		}
		for range n {
			i := c.Get()
			if i == 0 {
				t.Fatalf("table %d is full", k)
			}
			if r := c.At(i); r.owner != 0 || table.Lookup(r.Low(i)) != r {
				t.Fatalf("record %d of table %d is in use, or not found", i, k)
			}
			c.At(i).owner = k + 1
		}
		if table.Lookup(uint64(firstTag)<<32|uint64(table.limit.Load())) != nil {
			t.Error("found behind the end")
		}
	}
	if more := addresses(t) - before; more >= maxRecords*int(unsafe.Sizeof(record{})) {
		t.Errorf("40 tables take %d bytes of addresses, as much as if one were reserved", more)
	}
}

// addresses returns how many bytes of addresses the process uses.
func addresses(t *testing.T) (pages int) {
	statm, err := os.ReadFile("/proc/self/statm")
	if _, scan := fmt.Sscan(string(statm), &pages); err != nil || scan != nil {
		t.Fatal(err, scan)
	}
	return pages * os.Getpagesize()
}
