// Package released has bodies that use blocks which they have given up, and bodies that do not.
package released

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

type head struct{ N int }

var state = datablock.NewView[head]()

type p struct {
	Out, Other task.Event[int]
	To         task.Port[int]
}

func plain(c *edt.Ctx, in edt.Args) guid.GUID {
	x := datablock.Slice[int](in.Dep(0))
	c.Release(in.Dep(0).GUID())
	x[0] = 1 // want released "the block is written here, but the EDT has released it in line 25"

	h := state.At(in.Dep(1))
	c.DestroyBlock(in.Dep(1).GUID())
	fmt.Println(h.N)                       // want released "read here, but the EDT has destroyed it"
	c.Satisfy(guid.Null, in.Dep(1).GUID()) // a path has one report
	c.Release(in.Deps()[2].GUID())
	_ = in.Dep(2).Bytes() // want released "used here"
	c.PassDep(guid.Null, in.Dep(3))
	c.DestroyBlock(in.Dep(3).GUID()) // want released "destroyed here, but the EDT has sent it"
	c.Pass(guid.Null, 4)
	c.ReleaseDep(in.Dep(4)) // want released "released here, but the EDT has sent it"
	c.Downgrade(in.Dep(5).GUID())
	copy(in.Dep(5).Bytes(), "x") // want released "written here, but the EDT has published it"

	c.DestroyBlock(in.Dep(6).GUID())
	c.Satisfy(guid.Null, in.Dep(6).GUID()) // want released "used by its name here, but the EDT has destroyed it"

	block, bytes := c.NewBlock(8)
	c.Satisfy(guid.Null, block)
	bytes[0] = 1 // want released "written here, but the EDT has published it"

	gone := c.NewBlockNoAcquire(8)
	c.DestroyBlock(gone)
	c.NewEDT(nil, nil, edt.From(gone, datablock.RO)) // want released "used by its name"
	return guid.Null
}

var typed = task.Define2("typed", func(c *edt.Ctx, q p, a task.RW[int], b task.RO[byte]) {
	x := a.Slice()
	text := b.Slice()
	b.Destroy(c)
	if len(text) > 2 {
		fmt.Println(string(text)) // want released "read here"
	} else {
		fmt.Println(b.At(0)) // want released "used here"
	}
	a.SendTo(c, q.Out)
	for k := range x {
		x[k]++ // want released "read here, but the EDT has sent it"
	}
})

var sent = task.Define2("sent", func(c *edt.Ctx, q p, a task.RW[int], v par.Value[int]) {
	made, x := task.Make[int](c, 2)
	q.Out.Send(c, made)
	sort(x) // want released "used here, but the EDT has sent it"
	q.To.Send(c, a.Block())
	q.Other.Send(c, a.Block()) // want released "sent, which releases it, here"
	_ = v.Take(c)
	_ = v.Take(c) // want released "destroyed here, but the EDT has destroyed it"
	f := func() int { return a.Slice()[0] }
	_ = f
})

var loop = task.Define2("loop", func(c *edt.Ctx, q p, a task.RW[int], b task.RW[int]) {
	for range 3 {
		a.Slice()[0]++ // want released "used here"
		a.Release(c)
	}
	x := b.Slice()
	if q.Out == q.Other {
		b.Release(c)
	}
	x[1] = 2 // want released "written here"
})

var again = task.Define2("again", func(c *edt.Ctx, n int, a task.RW[int], b task.RW[int]) {
	for range 3 {
		last := n > a.Slice()[0] // another in each turn
		if !last {
			b.Slice()[0]++ // want released "used here"
		}
		if last {
			b.Release(c) // want released "released here"
		}
	}
	first := n > 0
	if first {
		n++
	}
	a.Release(c)
	if first {
		a.Slice()[0] = 1 // want released "used here"
	}
})

func sort(x []int) {}

// What follows is right.

var rightPlain edt.Func = func(c *edt.Ctx, in edt.Args) guid.GUID {
	x := datablock.Slice[int](in.Dep(0))
	y := datablock.Slice[int](in.Dep(1))
	c.Release(in.Dep(0).GUID())
	y[0] = len(x)
	c.Satisfy(guid.Null, in.Dep(0).GUID())
	c.DestroyBlock(in.Dep(0).GUID())
	fmt.Println(in.Dep(0).GUID(), in.Dep(0).IsNull())
	c.Downgrade(in.Dep(1).GUID())
	fmt.Println(y[0])
	c.Satisfy(guid.Null, in.Dep(1).GUID())
	c.Release(in.Dep(1).GUID())
	for k := range in.Deps() {
		_ = in.Dep(k).Bytes()
		c.Release(in.Dep(k).GUID())
	}
	return guid.Null
}

var rightTyped = task.Define2("right", func(c *edt.Ctx, q p, a task.RW[int], b task.RW[int]) {
	defer b.Destroy(c)
	b.Slice()[0]++
	last := a.Slice()[0] == 0
	if last {
		a.Destroy(c)
	} else {
		a.Slice()[0]--
	}
	b.Slice()[1]++
	if !last {
		a.SendTo(c, q.Out) // what the first condition says still holds
	}
	either := task.Reserve[int](c, 1)
	other := task.Reserve[int](c, 1)
	if !last {
		other.Destroy(c)
	}
	if last {
		either.Destroy(c)
		either = other
	}
	either.Destroy(c)
	for k := range 3 {
		block, x := task.Make[int](c, k+1)
		x[k] = 1
		block.Release(c)
		q.Out.Pass(c, block)
		q.Other.Pass(c, block)
		typed.New(c, q, block.From(), task.None[byte]())
	}
})

var rightBranch = task.Define1("branch", func(c *edt.Ctx, q p, a task.RW[int]) {
	x := a.Slice()
	if x[0] == 0 {
		a.Destroy(c)
		return
	}
	x[0]--
	switch {
	case x[0] == 1:
		a.Release(c)
	default:
		x[1]++
		a.SendTo(c, q.Out)
	}
})

type two struct{ A, B task.Block[int] }

var rightTwo = task.Define0("two", func(c *edt.Ctx, q two) {
	q.A.Destroy(c)
	q.B.Destroy(c)
})

type list = task.List[task.RW[int]]

var rightList = task.DefineN("list", func(c *edt.Ctx, q p, _ task.After, l list, m list) {
	for k := range l.Len() {
		l.At(k).Slice()[0]++
		l.At(k).SendTo(c, q.Out)
	}
	l.At(0).Release(c)
	l.At(1).Slice()[0]++
	m.At(0).Slice()[0]++
	for k := range m.Len() {
		m.At(k).Destroy(c)
	}
})
