package record

import "ocr/internal/core/word"

// An Index is the third word of an event, and names another record: of a channel event its queues, of a finish scope
// the newest of its events, of such an event the one created before it. 0 is none.
type Index struct{ w word.Uint32 }

// Begin sets the index of a record that no other worker knows yet.
func (x *Index) Begin(i uint32) { x.w.Init(i) }

// Get returns the index. No other worker may change it at the same time.
func (x *Index) Get() uint32 { return x.w.Own() }

// Add puts event i, whose own index is next, in front of the events of a finish scope. An EDT of the scope calls it,
// before it returns its token: so the worker that closes the scope has the list to itself.
func (x *Index) Add(i uint32, next *Index) {
	for {
		newest := x.w.Load()
		next.w.Init(newest)
		if x.w.CompareAndSwap(newest, i) {
			return
		}
	}
}
