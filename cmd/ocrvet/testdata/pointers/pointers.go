// Package pointers has tasks with pointers in their parameters and blocks, and tasks without.
package pointers

import (
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

type row struct {
	Name string
	N    int
}

type nested struct{ Rows [2]row }

type flat struct {
	At    [2]int
	Block task.Block[float64]
	Done  task.Event[float64]
	To    task.Port[int]
	Pipe  par.Pipe[byte]
	Grain float64
}

var (
	a = task.Define0("a", func(c *edt.Ctx, p *int) {})                                          // want pointers "int must not have Go pointers in it"
	b = task.Define0("b", func(c *edt.Ctx, p nested) {})                                        // want pointers "field Rows: field Name: string is or holds a pointer"
	d = task.Define1("d", func(c *edt.Ctx, n int, r task.RW[row]) {})                           // want pointers "field Name: string"
	e = task.Declare1[[]byte, task.RO[byte]]("e")                                               // want pointers "byte must not have Go pointers"
	f = par.DefineMap("f", func(n int, x string) int { return n })                              // want pointers "string must not"
	g = datablock.NewView[row]()                                                                // want pointers "row must not have"
	h = par.DefineFor0("h", func(c *edt.Ctx, p map[int]int, lo, hi int) {})                     // want pointers "int must not have"
	i = task.Declare0[uintptr]("i")                                                             // want pointers "uintptr is or holds a pointer"
	j = task.Declare1[task.Nothing, task.RO[task.Headed[row, int]], task.Headed[row, int]]("j") // want pointers "field Name: string"
)

func main(c *edt.Ctx, in edt.Args) guid.GUID {
	n := new(int)
	t := edt.NewTemplate("t", 2, 0, nil)
	c.NewEDT(t, edt.Params(1, uint64(uintptr(unsafe.Pointer(n)))))                 // want pointers "a Go pointer goes into the parameters"
	c.NewEDT(t, []uint64{uint64(uintptr(unsafe.Pointer(n))) &^ 1, 2})              // want pointers "a Go pointer goes into the parameters"
	c.Spawn(t, &edt.Spec{Params: []uint64{0, uint64(uintptr(unsafe.Pointer(n)))}}) // want pointers "a Go pointer goes into the parameters"
	datablock.Slice[uint64](in.Dep(0))[0] = uint64(uintptr(unsafe.Pointer(n)))     // want pointers "a Go pointer goes into a block"
	p := row{N: 1}
	c.NewFlat(t, unsafe.Pointer(&p)) // want pointers "field Name: string"
	block, _ := task.Make[any](c, 1) // want pointers "any must not"
	block.Release(c)
	return guid.Null
}

// What follows is right.

var (
	k = task.Define1("k", func(c *edt.Ctx, p flat, r task.RW[flat]) {})
	l = task.Declare2[task.Nothing, task.RO[task.Headed[flat, [3]complex128]], task.After]("l")
	m = datablock.NewView[flat]()
	o = par.DefineReduce("o", func(into, from *flat) {})
)

func generic[T any](c *edt.Ctx, n int) task.Block[T] { return task.Reserve[T](c, n) }

func right(c *edt.Ctx, in edt.Args) guid.GUID {
	t := edt.NewTemplate("u", 1, 0, nil)
	p := flat{}
	c.NewFlat(t, unsafe.Pointer(&p))
	aligned := uintptr(unsafe.Pointer(&p))%8 == 0
	c.NewEDT(t, []uint64{uint64(unsafe.Sizeof(p))})
	if aligned {
		c.NewEDT(t, edt.Params(uint64(in.Dep(0).Size())))
	}
	generic[int](c, 1).Destroy(c)
	return guid.Null
}
