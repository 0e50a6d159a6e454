// Package check finds what is wrong with an EDT program while it runs: it is the check
// mode of package runtime, an [edt.Observer] on every worker.
//
// # What an EDT sees
//
// In check mode an EDT does not see the memory of a block but a view of its own, on
// addresses of its own: read-only if the mode is RO or Const, and out of reach once
// the block is released. What it changed is carried to the block, byte by byte, at the
// release. That is what release consistency allows (OCR 1.2, §1.6): writes become
// visible by a release, not before. So a write that must not be, and an access that comes
// too late, fault at their line; and whose writes are whose is known for every byte, however
// many EDTs hold a block. The elements of a block are numbers of several bytes: if it is known of
// which size, an EDT that has changed a byte of one has written all of it.
//
// The system makes the views: for an EDT that reads they are the pages of the block itself,
// for one that writes a page is copied when it is first written. A block of any size costs
// what EDTs use of it. Blocks of a page or less are copied, see copies.go. A fault on the goroutine of an EDT is a panic. On any other it is
// recorded with its line and the goroutine goes on, see internal/sys.Guard; on systems where
// that cannot be done, what should not be used is left accessible, and it is seen at the
// release whether a block that was held for reading was changed.
//
// Blocks whose EDTs share them while they run ([edt.Ctx.Synchronised]) are left alone.
//
// # What is ordered
//
// Every EDT remembers what made it runnable: which moment of which other EDT. Only
// creations, satisfactions, finish scopes and handed-over exclusive blocks order EDTs;
// that one ran after the other, or on the same worker, does not count. Two writes to a
// byte by EDTs without such an order are a race, whether or not they met in time.
//
// # Ranks
//
// Over several ranks each has the views of its EDTs, and records what it is told; rank 0 judges it all when the run has ended. See
// docs/ranks.md, "Check mode".
//
// # What is not seen
//
// docs/testing.md has a table. Beyond the history that is kept (the last [historyLength]
// EDTs) EDTs count as ordered; [Checker.Undecided] says how often. If the address space
// for views is used up, EDTs see the blocks themselves.
package check
