package edt

import (
	"sync"

	"ocr/guid"
)

// A guidTable maps GUIDs to values. It is divided into shards, so that workers that use
// different GUIDs seldom contend for a lock or a cache line.
type guidTable[V any] [1 << shardBits]guidShard[V]

const (
	shardBits = 8
	// rowBits: each 2^rowBits neighbouring places are in one shard. Objects that one worker
	// makes one after the other often have neighbouring places.
	rowBits = 4
	// golden is the multiplier of a hash whose upper bits depend on all bits.
	golden = 0x9e3779b97f4a7c15
)

// shard returns the shard of GUIDs with a place: the number of a label, the index of an
// object. An object's generation is not part of it, so a worker that reuses a record finds
// the shard in its cache.
func (t *guidTable[V]) shard(place uint64) *guidShard[V] {
	return &t[place>>rowBits*golden>>(64-shardBits)]
}

// each calls f for every entry, with its shard locked.
func (t *guidTable[V]) each(f func(g guid.GUID, v *V)) {
	for k := range t {
		s := &t[k]
		s.Lock()
		for _, e := range s.buckets {
			for ; e != nil; e = e.next {
				f(e.key, &e.value)
			}
		}
		s.Unlock()
	}
}

// A guidShard is a hash table with a lock. Buckets are lists of entries; entries that
// were removed are used again.
//
// Concurrency: only the worker that holds the lock uses the shard. It may keep a pointer to a
// value longer, but the entry may then be removed and used for another GUID.
type guidShard[V any] struct {
	sync.Mutex
	buckets []*guidEntry[V] // a power of two, or none
	shift   uint            // of a hash, to get a bucket's number
	n       int             // entries in buckets
	free    *guidEntry[V]
	_       [8]byte // a shard a line
}

type guidEntry[V any] struct {
	key   guid.GUID
	next  *guidEntry[V]
	value V
}

// bucket returns the head of the list for g. The shard must have buckets.
func (s *guidShard[V]) bucket(g guid.GUID) **guidEntry[V] {
	_, lo := g.Words()
	return &s.buckets[lo*golden>>(s.shift&63)]
}

// find returns the value of g, nil if there is none.
func (s *guidShard[V]) find(g guid.GUID) *V {
	if s.n > 0 {
		for e := *s.bucket(g); e != nil; e = e.next {
			if e.key == g {
				return &e.value
			}
		}
	}
	return nil
}

// add makes an entry for g, which has none, and returns its zero value.
func (s *guidShard[V]) add(g guid.GUID) *V {
	if s.n == len(s.buckets) {
		s.grow()
	}
	e := s.free
	if e == nil {
		e = new(guidEntry[V])
	} else {
		s.free = e.next
	}
	b := s.bucket(g)
	e.key, e.next = g, *b
	*b = e
	s.n++
	return &e.value
}

// remove removes g, which has an entry. The entry is used again if recycle is set.
func (s *guidShard[V]) remove(g guid.GUID, recycle bool) {
	at := s.bucket(g)
	for (*at).key != g {
		at = &(*at).next
	}
	e := *at
	*at = e.next
	s.n--
	if recycle {
		*e = guidEntry[V]{next: s.free}
		s.free = e
	}
}

// grow doubles the buckets.
func (s *guidShard[V]) grow() {
	old := s.buckets
	if s.shift--; old == nil {
		s.shift = 64 - rowBits
	}
	s.buckets = make([]*guidEntry[V], 1<<(64-s.shift))
	for _, e := range old {
		for e != nil {
			next, b := e.next, s.bucket(e.key)
			e.next, *b = *b, e
			e = next
		}
	}
}
