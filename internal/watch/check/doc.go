// Package check finds what is wrong with an EDT program while it runs: it is the check
// mode of package runtime, an [edt.Observer] on every worker.
//
// # What an EDT sees
//
// In check mode an EDT gets a view of a block on addresses of its own: read-only in modes RO and Const, and unmapped
// after the release. Its changes are copied to the block, byte by byte, at the release. Release consistency allows that
// (OCR 1.2, §1.6): writes become visible by a release, not before. So a forbidden write and a late access fault at
// their line, and the checker knows the writer of every byte, even if several EDTs hold a block. If the element type is
// known, an EDT that has changed a byte of a number counts as having written all of it.
//
// A view for reading maps the pages of the block's contents; one for writing maps them copy-on-write. So a view costs
// the pages that the EDT uses. Blocks of a page or less are copied, see copies.go. A fault on the goroutine of an EDT
// is a panic. On any other goroutine it is recorded with its line and the goroutine goes on, see
// internal/core/sys.Guard. On systems without that, memory that must not be used stays accessible, and writes to a
// block that was held for reading are found at the release.
//
// Blocks whose EDTs synchronise their accesses while they run ([edt.Ctx.Synchronised]) are not checked.
//
// # What is ordered
//
// Every EDT has its causes: the moments of other EDTs that made it runnable. Only creations, satisfactions, finish
// scopes and handed-over exclusive blocks order EDTs; that one ran after the other, or on the same worker, does not.
// Two writes to a byte by EDTs without such an order are a race, whether or not they overlapped in time.
//
// # What is not seen
//
// docs/testing.md has a table. Beyond the kept history (the last [historyLength] EDTs) EDTs count as ordered;
// [Checker.Undecided] says how often. If the address space for views is used up, EDTs use the blocks' memory itself.
package check
