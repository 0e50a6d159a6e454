package record

import "ocr/internal/core/word"

// An Index is the third word of an event. For a channel event it says where in [Channels] its queues are, from 1; 0 if
// it has none. For a proxy of a finish scope it is the rank of the scope.
type Index struct{ w word.Uint32 }

// Begin sets the index of a record that no other worker knows yet.
func (x *Index) Begin(i uint32) { x.w.Init(i) }

// Get returns the index. No other worker may change it at the same time.
func (x *Index) Get() uint32 { return x.w.Own() }
