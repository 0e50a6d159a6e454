package edt

import (
	"maps"
	"math/rand/v2"
	"testing"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// A table has what a map has, whatever is added and removed.
func TestGUIDTable(t *testing.T) {
	space := ids.NewSpace(ids.NewRun(), 0)
	r := rand.New(rand.NewPCG(1, 0))
	table, want := new(guidTable[uint64]), make(map[guid.GUID]uint64)
	for step := range uint64(20000) {
		// Labels in a row and far apart, of two kinds; more at first than in the end.
		number := r.Uint64N(512) << (38 * r.Uint64N(2))
		g := guid.FromWords(space.Label(uint8(guid.KindEvent+guid.Kind(r.Uint64N(2))), number))
		s := table.shard(number)
		v := s.find(g)
		if held, ok := want[g]; ok != (v != nil) || ok && *v != held {
			t.Fatalf("step %d: label %d of kind %v: %v, want %v %v", step, number, g.Kind(), v, held, ok)
		}
		switch add := r.Uint64N(20000) > step; {
		case v == nil && add:
			*s.add(g), want[g] = step, step
		case v != nil && !add:
			s.remove(g, true)
			delete(want, g)
		}
	}
	got := make(map[guid.GUID]uint64)
	table.each(func(g guid.GUID, v *uint64) { got[g] = *v })
	if len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("%d entries, want %d", len(got), len(want))
	}
}

// Neighbours are in one shard, rows of them in different ones, and an entry that was removed is used again.
func TestShardsOfAGUIDTable(t *testing.T) {
	table := new(guidTable[uint64])
	rows := make(map[*guidShard[uint64]]int)
	for place := range uint64(64 << rowBits) {
		rows[table.shard(place)]++
	}
	for _, n := range rows {
		testrun.Equal(t, 0, n%(1<<rowBits), "neighbours outside a shard's rows")
	}
	if len(rows) < 48 {
		t.Errorf("64 rows in %d shards", len(rows))
	}
	s, g := table.shard(0), guid.FromWords(1, 2)
	first := s.add(g)
	s.remove(g, true)
	if again := s.add(guid.FromWords(1, 3)); again != first || s.n != 1 {
		t.Errorf("the entry is not used again; %d entries", s.n)
	}
}
