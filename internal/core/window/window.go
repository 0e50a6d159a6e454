// Package window has the type of memory for one-sided transfers between ranks: package edt gives it to programs, and
// the engines of ranks implement it.
package window

// A Window is memory of every rank, the same number of bytes of each, that the other ranks access by calls, since ranks
// on several machines share no memory. A Put is complete after [Window.Flush]; before that, puts may take effect in any
// order. Any goroutine may call the methods. to and from are ranks, at is an offset in bytes; both must be in range.
type Window interface {
	// Bytes returns this rank's part: plain memory, to which others may write while this rank reads it.
	Bytes() []byte

	// Put copies src to a rank's part. On return the caller may reuse src.
	Put(to, at int, src []byte)
	// Get copies from a rank's part. It is complete on return.
	Get(dst []byte, from, at int)
	// PutStrided and GetStrided are the same for n elements of width bytes, 4 or 8, whose distances are counted in
	// elements.
	PutStrided(to, at int, src []byte, n, width, dstStride, srcStride int)
	GetStrided(dst []byte, from, at int, n, width, dstStride, srcStride int)

	// Store atomically stores an aligned word of width bytes, 4 or 8. It is complete on return.
	Store(to, at, width int, v uint64)
	// Load atomically loads a word that was written by Store. A rank can load a word of its own part from the memory,
	// atomically.
	Load(from, at, width int) uint64

	// Flush returns when all puts of this process to a rank are complete.
	Flush(to int)
	// Progress lets operations of other ranks proceed. A loop that waits for their puts calls it.
	Progress()
}
