package overhead

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A typedCall is what a call of fib and a join are given, in package task.
type typedCall struct {
	To task.Port[task.Nothing] // where the result goes
	N  int
}

var typedJoin = task.Define2("overhead.fib-join-typed", func(c *edt.Ctx, to task.Port[task.Nothing], _, _ task.After) {
	to.Signal(c)
})

var typedFib = task.Declare0[typedCall]("overhead.fib-call-typed")

var _ = typedFib.Body(func(c *edt.Ctx, p typedCall) {
	if p.N < 2 {
		p.To.Signal(c)
		return
	}
	join := typedJoin.NewOpen(c, p.To)
	typedFib.New(c, typedCall{join.Slot0(), p.N - 1})
	typedFib.New(c, typedCall{join.Slot1(), p.N - 2})
})

var typedEnd = task.Define1("overhead.fib-end-typed", func(c *edt.Ctx, end guid.GUID, _ task.After) { signal(c, end) })

func typedFibRow() *Row {
	return fibRowOf("typed", func(c *edt.Ctx, end guid.GUID) {
		typedFib.New(c, typedCall{typedEnd.NewOpen(c, end).Slot0(), fibN})
	}, edt.Counters{})
}
