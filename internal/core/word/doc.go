// Package word has the words that workers share: numbers, flags and pointers that are read and written atomically, a
// lock, and calls by which a thread waits for a word.
//
//	var turn word.Uint32
//	turn.Store(1)
//	turn.CompareAndSwap(1, 2)
//
// A word is as large as its number, and each method is inlined to the instructions of sync/atomic. There is one
// addition: [Of.Publish] stores without the barrier that an atomic store has on amd64.
//
// With -tags explore each access is also a step: if ocr/internal/proof/explore runs the calling thread, the explorer
// decides which thread makes the next access. So code that uses these words can be run in every order of its accesses.
package word
