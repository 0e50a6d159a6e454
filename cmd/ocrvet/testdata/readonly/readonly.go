// Package readonly has bodies that write what they hold for reading, and bodies that do not.
package readonly

import (
	"encoding/binary"
	"slices"
	"sort"
	"sync/atomic"

	"ocr/edt"
	"ocr/task"
)

type head struct{ N int }

var order binary.ByteOrder = binary.BigEndian

type headed = task.Headed[head, int]

var writes = task.Define2("writes", func(c *edt.Ctx, n int, a task.RO[int], b task.Const[byte]) {
	a.Slice()[0] = n // want readonly "a write to a block that the EDT holds in mode RO"
	a.Slice()[n]++   // want readonly "mode RO"
	x := a.Slice()[1:]
	x[0] = n // want readonly "mode RO"
	p := &x[1]
	*p = n                                                    // want readonly "mode RO"
	copy(b.Slice(), "x")                                      // want readonly "in mode Const"
	clear(x)                                                  // want readonly "mode RO"
	_ = append(x[:0], 1)                                      // want readonly "mode RO"
	sort.Slice(x, func(i, j int) bool { return x[i] < x[j] }) // want readonly "mode RO"
	sort.Sort(sort.IntSlice(x))                               // want readonly "mode RO"
	slices.Sort(a.Slice())                                    // want readonly "mode RO"
	binary.LittleEndian.PutUint64(b.Slice(), 1)               // want readonly "mode Const"
	order.PutUint64(b.Slice(), 1)                             // want readonly "mode Const"
	defer order.PutUint16(b.Slice(), 1)                       // want readonly "mode Const"
	binary.PutUvarint(b.Slice(), 1)                           // want readonly "mode Const"
	fill(x, n)                                                // want readonly "mode RO"
	func() { x[2] = 3 }()                                     // want readonly "mode RO"
})

func fill(x []int, n int) { set(x[1:], n) }

func set(x []int, n int) {
	for k := range x {
		x[k] = n
	}
}

var heads = task.Define2("heads", func(c *edt.Ctx, n int, a task.RO[headed], b task.RO[int64]) {
	task.Head(a).N = n                // want readonly "mode RO"
	task.Rest(a)[0] = n               // want readonly "mode RO"
	atomic.AddInt64(&b.Slice()[0], 1) // want readonly "mode RO"
})

type list = task.List[task.RO[int]]

var lists = task.DefineN("lists", func(c *edt.Ctx, n int, a task.RW[int], l list, m list) {
	l.At(0).Slice()[0] = a.Slice()[0] // want readonly "mode RO"
	a.Slice()[0] = m.At(n).Slice()[0]
})

// What follows is right.

var right = task.Define4("right", func(c *edt.Ctx, n int, a task.RW[int], b task.RO[int], d task.EW[int], e task.RO[headed]) {
	copy(a.Slice(), b.Slice())
	x := slices.Clone(b.Slice())
	x[0] = 1
	slices.Sort(x)
	d.Slice()[0] = b.At(0) + sum(b.Slice())
	for k, v := range b.All() {
		v++
		a.Slice()[k] = v
	}
	fill(d.Slice(), task.Head(e).N)
	head := *task.Head(e)
	head.N++
	y := append([]int(nil), b.Slice()...)
	y[0]++
	y = append(b.Slice()[:1:1], 2)
	var z [4]int
	copy(z[:], b.Slice())
	z[0] = atomicLoad(b)
	order.PutUint64(make([]byte, 8), uint64(b.At(0)))
	_ = order.Uint64(make([]byte, 8))
})

func sum(x []int) (s int) {
	for _, v := range x {
		s += v
	}
	x = nil
	return s
}

func atomicLoad(a task.RO[int]) int { return a.Slice()[0] }
