package record

import "ocr/internal/core/word"

// An Index is the third word of an event: of a channel event the number of its queues, 0 for none; of a proxy of a
// finish scope the rank of the scope.
type Index struct{ w word.Uint32 }

// Begin sets the index of a record that no other worker knows yet.
func (x *Index) Begin(i uint32) { x.w.Init(i) }

// Get returns the index. No other worker may change it at the same time.
func (x *Index) Get() uint32 { return x.w.Own() }
