// Package check finds what is wrong with an EDT program while it runs: it is the check
// mode of package runtime, an [edt.Observer] on every worker.
//
// # What an EDT sees
//
// In check mode an EDT does not see the memory of a block but a view of its own, on
// pages of its own: filled when the body begins, read-only if the mode is RO or
// Const, and out of reach once the block is released. What it changed is carried back,
// byte by byte, at the release. That is what release consistency allows (OCR 1.2,
// §1.6): writes become visible by a release, not before. So a write that must not be,
// and an access that comes too late, fault at their line; and whose writes are whose
// is known for every word, however many EDTs hold a block.
//
// Blocks whose EDTs share them while they run ([edt.Ctx.Synchronised]) are left alone.
//
// # What is ordered
//
// Every EDT remembers what made it runnable: which moment of which other EDT. Only
// creations, satisfactions, finish scopes and handed-over exclusive blocks order EDTs;
// that one ran after the other, or on the same worker, does not count. Two writes to a
// word by EDTs without such an order are a race, whether or not they met in time.
//
// # What is not seen
//
// A write of the value that was there. Which words an EDT reads: reads are seen by
// page, in modes RO and Const, and only on pages that nobody had written. Order that is
// established in other ways than by the graph. Beyond the history that is kept (the
// last [historyLength] EDTs) EDTs count as ordered; [Checker.Undecided] says how often.
// If the address space for views is used up, EDTs see the blocks themselves.
package check
