// Package par offers, on package task, what many parallel programs need: loops, reductions, and values that arrive
// later.
//
//	DefineFor0, 1       a loop whose range is split among EDTs
//	For                 such a loop whose body is a closure
//	DefineReduce        a value for each worker to add to; at the end these are added up
//	Future, Set         events for values that come later
//
// No call waits: every call returns at once, and an event that is its argument, or its result, reports the end.
//
// # A loop
//
//	var scale = par.DefineFor1("scale", func(c *edt.Ctx, by float64, x task.RW[float64], lo, hi int) {
//		for i := range x.Slice()[lo:hi] {
//			x.Slice()[lo+i] *= by
//		}
//	})
//
//	done := par.Future[task.Nothing](c)
//	scale.For(c, 2, 0, n, 1000, done, x.From())
//
// Idle workers balance the load: an EDT that splits the range creates an EDT for half of it, as long as more than 16
// grains are left, and an idle worker steals the largest part of another worker. Each worker runs its part in ascending
// order, mostly.
//
// Over ranks a loop stays on the rank of its caller, where its blocks are. To use all ranks, place on each an EDT that
// runs a loop over the rank's part.
//
// # A sum over a tree
//
// EDTs of a group add to the group's value, which is complete when all have ended:
//
//	var total = par.DefineReduce("total", func(into, from *int) { *into += *from })
//
//	var queens = task.Declare0[board]("queens")
//
//	var _ = queens.Body(func(c *edt.Ctx, b board) {
//		if b.Row >= cutOff {
//			*total.Value(c) += b.count()
//			return
//		}
//		for free := b.free(); free != 0; free &= free - 1 {
//			queens.New(c, b.place(free&-free))
//		}
//	})
//
//	queens.New(c, board{}, total.Group(c, 0, then))
//
// # Rules
//
// As in package task, the runtime finds bodies by their names, and parameters and blocks are flat. A mistake that the
// compiler does not see ends the run with an error of package edt, which names the app's line. All loops and sums are
// variables of a package, but for [For]. A zero value of these types is of no use: a Define function makes them.
package par
