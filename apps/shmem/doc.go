// Package shmem is a small partitioned global address space on EDTs: processing elements (PEs) that put to, get from
// and sum over each other's memory. It offers what the tests of apps/pgas need.
//
// A PE is a worker: all EDTs of a PE are bound to its worker. Each PE has a segment, one data block of the same size
// and with the same offsets on every PE, so that an address is a PE and an offset. [Run] makes the blocks and runs a
// [Program] on all PEs.
//
// In the direct form a program is one EDT on each PE. It holds all segments in RW mode, and synchronises itself by the
// methods of its [PE]:
//
//	var hello = shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
//		pe.Put((pe.Rank()+1)%pe.Size(), 0, []byte("hello"))
//		pe.Barrier() // now the neighbour has it
//	})
//
//	shmem.Run(c, shmem.Config{PEs: c.Workers(), Bytes: 1 << 20}, hello)
//
// In the graph form, [Flow], each put, get, notification and step of a sum is an EDT: none of them polls or blocks.
//
// # Windows
//
// The window of a PE is its block: a control area of words that other PEs store, 128 bytes apart, and the segment. In a
// run over several ranks the PEs are workers of all ranks. Windows then lie in memory that the ranks open for one-sided
// operations of MPI ([edt.Ctx.Window], of [WindowBytes]; one Run at a time). A PE reaches windows of its own rank by
// loads and stores, and others by calls:
//
//	put, get             MPI_Put, flushed locally; MPI_Get, flushed
//	signal               flush of all puts to that rank; MPI_Accumulate of the word; flush
//	wait                 atomic loads of a word in the own window; after each burst a call of MPI, for progress
//
// The protocol is the same for blocks and for windows of MPI:
//
//   - A word of a control area has one writer, and one reader, the PE whose window it is in. It counts up and is never
//     reset. The stop word is an exception: any PE sets it to 1.
//   - A signal stores a word of a window after all earlier puts of the PE to that window: by a release store, or after
//     a flush, as MPI does not order puts. The reader's acquire load of the word orders its later reads.
//   - Control areas are zero before any PE begins: blocks are new, and an EDT on each PE clears a window of MPI before
//     a latch lets the PEs begin.
//   - A PE flushes before its EDT ends, so no put reaches a later run.
//
// After polls in vain a PE yields its processor, and checks whether another PE has failed and stopped the program.
package shmem
