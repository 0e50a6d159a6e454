// Package check finds what is wrong with an EDT program while it runs: it is the check mode of package runtime, an
// [edt.Observer] on every worker. README.md, beside this file, has what it finds and what it does not.
//
// # What an EDT sees
//
// In check mode an EDT has a view of each block, with bytes of its own. At the release the words that differ from what
// the view was at first are carried to the block. Release consistency allows that (OCR 1.2, §1.6): writes become
// visible by a release, not before. So the checker knows the writer of every byte, even if several EDTs hold a block.
// If the element type is known, an EDT that has changed a byte of a number counts as having written all of it.
//
// The bytes of a larger view are on pages that may only be read in modes RO and Const, and not be used after the
// release: a forbidden access is a fault, which Go makes a panic at the line of the access, as each worker has called
// [runtime/debug.SetPanicOnFault]. Those of a smaller one are on the heap, see view: a forbidden write is found at the
// release, or later.
//
// Blocks whose EDTs synchronise their accesses while they run ([edt.Ctx.Synchronised]) are not checked.
//
// # What is ordered
//
// Every EDT has its causes: the moments of other EDTs that made it runnable. Creations, satisfactions and finish scopes
// order EDTs; that one ran after the other, on the same worker, or had to wait for a block, does not. Two writes to a
// byte by EDTs without such an order are a race, whether or not they overlapped in time.
package check
