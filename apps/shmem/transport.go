package shmem

import "ocr/edt"

// A Transport moves bytes between the windows of PEs, for one of them: by memory ([NewMemory]), or by a network with
// one-sided communication (MPI). [Config.Transport] puts one in place of the world's own. [Flow] does not use it.
//
// Offsets are into windows, which all have the same layout. Arguments have been checked. A Transport belongs to one PE
// and is called by its EDT only.
type Transport interface {
	// Put copies src to offset dst of a PE's window. On return src may be used again.
	Put(to, dst int, src []byte)
	// Get copies from offset src of a PE's window to dst. It is complete on return.
	Get(dst []byte, from, src int)
	// PutStrided is Put for n elements of width bytes, strides apart.
	PutStrided(to, dst int, src []byte, n, width int, s Strides)
	// GetStrided is Get for n elements of width bytes, strides apart.
	GetStrided(dst []byte, from, src int, n, width int, s Strides)
	// Signal stores a word of 4 or 8 bytes in a PE's window, at a multiple of its size. A PE that reads the value sees
	// everything that this PE put to that PE before.
	Signal(to, dst, width int, v uint64)
	// Poll loads a word of a PE's window that is written by Signal until it is v, for a microsecond or so, and reports
	// whether it is. What arrived there before the word can be got after it.
	Poll(from, at, width int, v uint64) bool
	// Notify counts up what a PE waits for from this one. A PE that sees the count sees everything that this PE put to
	// that PE before.
	Notify(to int)
	// Wait returns when the k-th call has been met by the PE's k-th Notify.
	Wait(from int)
	// Flush returns when all puts to all PEs are complete there.
	Flush()
	// Barrier returns when all PEs have called it, with Flush done by each.
	Barrier()
	// Reduce sets dst of every PE's window to the sum over all PEs' src, n elements. dst is src or does not overlap it.
	// All PEs call it. On return the own dst is complete and the own src may be used again.
	Reduce(e Element, dst, src, n int)
	// Stop has all PEs end at their next call of Stopped.
	Stop()
	// Stopped reports whether a PE has called Stop. The transport's own waits then call Site.Ended.
	Stopped() bool
}

// A Site is the place of a Transport: one PE of a world, in its EDT.
type Site struct {
	Rank, PEs int
	// Windows are the blocks of all PEs, as far as they are in this memory; the own one
	// always is. The segment begins after the first Control bytes.
	Windows [][]byte
	Control int
	Wait    Waiter // with its defaults filled in
	Done    <-chan struct{}
	Window  edt.Window // where the windows of other ranks are; nil if all are in this memory
	perRank int        // PEs on each rank, if there is such a window
	layout  *layout
}

// Ended ends the PE's EDT, from within a wait of its transport: the world was stopped.
func (Site) Ended() { panic(errStopped) }

// Strides are the distances between elements, in elements: 1 is contiguous.
type Strides struct{ Dst, Src int }
