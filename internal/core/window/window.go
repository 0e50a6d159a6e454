// Package window has the type of memory for one-sided transfers between ranks. Package edt gives it to programs; the
// engines of ranks implement it.
package window

// A Window is memory on every rank, of one size, which the other ranks access by calls: ranks on several machines share
// no memory. A Put is complete after [Window.Flush]; before that, puts may take effect in any order. Any goroutine may
// call the methods. The parameters to and from are ranks, at is an offset in bytes; all must be in range.
type Window interface {
	// Bytes returns this rank's part as plain memory. Other ranks may write to it while this rank reads it.
	Bytes() []byte

	// Put copies src to a rank's part. The caller may reuse src when Put returns.
	Put(to, at int, src []byte)
	// Get copies from a rank's part. It is complete when it returns.
	Get(dst []byte, from, at int)
	// PutStrided and GetStrided are Put and Get for n elements of width bytes, 4 or 8. Strides are distances between
	// elements, counted in elements.
	PutStrided(to, at int, src []byte, n, width, dstStride, srcStride int)
	GetStrided(dst []byte, from, at int, n, width, dstStride, srcStride int)

	// Store atomically stores an aligned word of width bytes, 4 or 8. It is complete when it returns.
	Store(to, at, width int, v uint64)
	// Load atomically loads a word that was written by Store. A rank may also load a word of its own part from the memory,
	// atomically.
	Load(from, at, width int) uint64

	// Flush returns when all puts of this process to a rank are complete.
	Flush(to int)
	// Progress lets operations of other ranks proceed. A loop that waits for their puts must call it.
	Progress()
}
