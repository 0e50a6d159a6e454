// Package datablock holds the memory of data blocks and the rules of access to it.
//
// An EDT meets blocks in two ways: as the dependences it was started with, each a
// [Dep], and as the blocks it creates. Both end in bytes, which [Slice] and
// [View] turn into typed Go values:
//
//	values := datablock.Slice[float64](in.Dep(0))
//
// The bytes belong to the EDT from acquire to release: until it releases the
// block or ends. They hold no Go pointers, so that a block may be moved or sent.
//
// Blocks are created, released and destroyed through the EDT's context (package
// edt).
package datablock
