// Package check is the check mode of package runtime: it finds faults of an EDT program while the program runs, as an
// [edt.Observer] on every worker. README.md says what it finds and what not.
//
// # What an EDT sees
//
// In check mode an EDT has a view of each block, with bytes of its own. At the release the checker copies the bytes
// that the EDT has changed into the block. Release consistency allows this (OCR 1.2, §1.6): writes become visible by a
// release, not before. So the checker knows the writer of every byte, even if several EDTs hold a block. If the slot's
// type has numbers of one size, an EDT that has changed a byte of a number counts as having written all of it.
//
// The bytes of a view of a page (mostly 4 KiB) or more are on pages. In modes RO and Const these can only be read, and
// after the release not be used. A forbidden access is a fault, which Go makes a panic at the line of the access, as
// each worker has called [runtime/debug.SetPanicOnFault]. Most smaller views have their bytes on the heap (see view): a
// forbidden write is found at the release, or later.
//
// Blocks whose EDTs synchronise their accesses while they run ([edt.Ctx.Synchronised]) are not checked.
//
// # What is ordered
//
// Every EDT has its causes: the moments of other EDTs that made it runnable. Creations, satisfactions and finish scopes
// order EDTs. Two EDTs are not ordered by running one after the other or on one worker, nor by waiting for a block. Two
// writes to a byte by EDTs that are not ordered are a race, whether or not they overlapped in time.
package check
