// Package datablock has what an EDT sees of data blocks: their modes and their bytes.
//
// An EDT gets blocks in two ways: by its dependences, each a [Dep], and by creating them. Both give bytes, which
// [Slice] and [ElementsOf] turn into typed Go values:
//
//	values := datablock.Slice[float64](in.Dep(0))
//
// The bytes belong to the EDT until it releases the block or ends. They must have no Go pointers, so that a block can
// be moved or sent.
//
// The EDT's context (package edt) creates, releases and destroys blocks.
package datablock
