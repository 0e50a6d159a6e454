// Package keeps has bodies that let out what belongs to their EDT, and bodies that do not.
package keeps

import (
	"context"
	"slices"
	"sync"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

var (
	lastCtx  *edt.Ctx
	lastArgs edt.Args
	all      []*edt.Ctx
	deps     []datablock.Dep
	pair     [2]*edt.Ctx
	table    map[int]*edt.Ctx
	rows     [][]float64
	byName   = map[string][]byte{}
	finish   func()
	blocks   []task.Block[int]
	event    task.Event[int]
	channel  = make(chan []byte, 1)
	pool     = edt.NewBlocking(1)
)

type holder struct {
	c   *edt.Ctx
	row []float64
}

var kept holder

var holders = map[string]*holder{}

func keepBoth(both [2]*edt.Ctx) {
	pair = both // want keeps "a Ctx is kept"
}

func variables(c *edt.Ctx, in edt.Args) guid.GUID {
	lastCtx = c                                              // want keeps "a Ctx is kept in a variable that is older than the EDT"
	lastArgs = in                                            // want keeps "the Args of an EDT is kept"
	all = append(all, c)                                     // want keeps "a Ctx is kept"
	rows = append(rows, datablock.Slice[float64](in.Dep(0))) // want keeps "the memory of a block is kept"
	byName["x"] = in.Dep(0).Bytes()[4:]                      // want keeps "the memory of a block is kept in a map"
	deps = in.Deps()                                         // want keeps "a Dep is kept"
	pair = [2]*edt.Ctx{c, nil}                               // want keeps "a Ctx is kept"
	table = make(map[int]*edt.Ctx)                           // want keeps "a Ctx is kept"
	go work(c, 1)                                            // want keeps "a goroutine gets a Ctx"
	holders["x"].c = c                                       // want keeps "a Ctx is kept"
	kept = holder{c: c}                                      // want keeps "a Ctx is kept"
	kept.row = datablock.Slice[float64](in.Dep(0))           // want keeps "the memory of a block is kept"
	finish = func() { c.Shutdown() }                         // want keeps "a Ctx is kept"
	return guid.Null
}

var slots = task.Define2("slots", func(c *edt.Ctx, _ int, a task.RW[float64], v par.Value[float64]) {
	go func() { a.Slice()[0]++ }() // want keeps `a goroutine gets a slot \(RW\)`
	go func() { _ = v.Take(c) }()  // want keeps "a goroutine gets"
	x := a.Slice()
	go sum(x) // want keeps "a goroutine gets the memory of a block"
	f := func() { x[0] = 1 }
	go f()                                                   // want keeps "a goroutine gets the memory of a block"
	time.AfterFunc(1, func() { x[0]++ })                     // want keeps "a function that is called on another goroutine captures the memory of a block"
	task.Blocking(c, pool, func(context.Context) []float64 { // want keeps "captures the memory of a block"
		return x
	})
})

func work(c *edt.Ctx, n int) {}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

type app struct {
	c      *edt.Ctx
	result []float64
}

// deliver is bound to an app, which is older than the EDTs.
func (a *app) main(c *edt.Ctx, in edt.Args) guid.GUID {
	var mine *edt.Ctx
	t := c.NewTemplate("deliver", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		mine = c                     // want keeps "a Ctx is kept"
		a.c = c                      // want keeps "a Ctx is kept"
		channel <- in.Dep(0).Bytes() // want keeps "the memory of a block is sent on a channel" // want blocks "a send"
		select {
		case channel <- in.Dep(0).Bytes(): // want keeps "the memory of a block is sent on a channel"
		default:
		}
		return guid.Null
	})
	c.NewEDT(t, nil, edt.From(guid.Null, datablock.RO))
	_ = mine
	return guid.Null
}

// What follows is right.

func (a *app) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	a.result = slices.Clone(datablock.Slice[float64](in.Dep(0)))
	rows = append(rows, append([]float64(nil), datablock.Slice[float64](in.Dep(0))...))
	byName[string(in.Dep(0).Bytes())] = []byte(string(in.Dep(0).Bytes()))
	h := holder{c: c, row: datablock.Slice[float64](in.Dep(0))}
	local := map[string]*edt.Ctx{"c": h.c}
	views := []*datablock.Dep{in.Dep(0)}
	func() { views[0], local["d"] = in.Dep(1), c }()
	var mine *edt.Ctx
	keep := func(c *edt.Ctx) { mine = c } // in a variable of the EDT
	keep(c)
	mine.Self()
	slices.SortFunc(h.row, func(x, y float64) int { return int(x-y) + c.Worker() })
	return guid.Null
}

func (a *app) once(c *edt.Ctx, _ edt.Args) guid.GUID {
	t := c.NewTemplate("deliver", 0, 1, a.deliver)
	c.NewEDT(t, nil, edt.From(guid.Null, datablock.RO))
	return guid.Null
}

var names = task.Define1("names", func(c *edt.Ctx, n int, a task.RW[int]) {
	block, x := task.Make[int](c, 1)
	x[0] = a.Slice()[0]
	total := a.Slice()[0]
	block.Release(c)
	save(a.Block(), block)
	outside, ext := c.NewExternal(1)
	_ = outside
	go func() { _ = ext.Satisfy([]byte{byte(total), byte(n)}) }()
	time.AfterFunc(1, ext.Close)
})

var mu sync.Mutex

func save(b ...task.Block[int]) {
	mu.Lock()
	defer mu.Unlock()
	blocks = append(blocks, b...)
}
