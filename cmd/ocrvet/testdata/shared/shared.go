// Package shared has bodies that write what other EDTs use, and bodies that do not.
package shared

import (
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

var (
	count   int
	counts  [8]int
	seen    = map[int]bool{}
	table   struct{ n int }
	results []float64
	exact   atomic.Int64
	mu      sync.Mutex
	once    sync.Once
)

var writes = task.Define1("writes", func(c *edt.Ctx, n int, a task.RW[int]) {
	count++                      // want shared "several EDTs of this body may run at the same time, and write the package's variable count"
	counts[0] = n                // want shared "variable counts"
	seen[n] = true               // want shared "variable seen"
	delete(seen, n)              // want shared "variable seen"
	table.n = n                  // want shared "variable table"
	results = append(results, 1) // want shared "variable results"
	func() { count-- }()         // want shared "variable count"
	add(n)
	either := &table.n
	if n > 3 {
		either = &n
	}
	*either = 4 // want shared "variable table"
	mu.Lock()
	count++
	mu.Unlock()
	count++ // want shared "variable count"
})

func add(n int) {
	count += n // want shared "variable count"
}

var loop = par.DefineFor0("loop", func(c *edt.Ctx, n, lo, hi int) {
	for range hi - lo {
		count++ // want shared "variable count"
	}
})

var double = par.DefineMap("double", func(n, x int) int {
	count++ // want shared "variable count"
	return 2 * x
})

type app struct {
	n, result int
	parts     []int
	next      *app
	step      *edt.Template
}

func (a *app) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	total := 0
	add := c.NewTemplate("add", 0, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		total++        // want shared "the captured variable total"
		a.n++          // want shared "the captured variable a"
		a.next.n = 1   // want shared "the captured variable a"
		a.parts[0] = 2 // want shared "the captured variable a"
		a.set(3)
		return guid.Null
	})
	for range 10 {
		c.NewEDT(add, nil)
	}
	twice := c.NewTemplate("twice", 0, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		total = 0 // want shared "the captured variable total"
		return guid.Null
	})
	c.NewEDT(twice, nil)
	c.NewEDT(twice, nil)
	a.step = c.NewTemplate("step", 0, 0, a.body)
	for n := range 10 {
		c.NewEDT(a.step, nil)
		writes.New(c, n, task.Reserve[int](c, 1).From())
	}
	return guid.Null
}

func (a *app) set(n int) {
	a.n = n // want shared "what a points to"
}

func (a *app) body(c *edt.Ctx, _ edt.Args) guid.GUID {
	a.result = 1 // want shared "what a points to"
	return guid.Null
}

// What follows is right.

func (a *app) right(c *edt.Ctx, _ edt.Args) guid.GUID {
	count = 0 // the main EDT, before there is another
	a.result = 0
	var deliver *edt.Template
	deliver = c.NewTemplate("deliver", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		a.result = datablock.Slice[int](in.Dep(0))[0] // one EDT only
		c.DestroyTemplate(deliver)
		return guid.Null
	})
	c.NewEDT(deliver, nil, edt.From(guid.Null, datablock.RO))
	other := c.NewTemplate("other", 0, 1, a.deliver)
	c.NewEDT(other, nil, edt.From(guid.Null, datablock.RO))
	c.DestroyTemplate(other)
	return guid.Null
}

func (a *app) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	a.result, count = 1, 2
	return guid.Null
}

type local struct{ n int }

func (l *local) inc() { l.n++ }

func readers(c *edt.Ctx) {
	for n := range 10 {
		reads.New(c, n, task.Reserve[local](c, 1).From())
		adds.New(c, n)
	}
}

var reads = task.Define1("reads", func(c *edt.Ctx, n int, a task.RW[local]) {
	own := local{n: count}
	own.n += len(results)
	own.inc()
	p := &own
	p.n++
	inc := func() { n++; own.n++ }
	inc()
	a.Slice()[0].n = n
	exact.Add(1)
	results[n] = 1 // an element of its own, perhaps
	counts[n&7]++
	once.Do(func() { count = 1 })
	under(n)
	var mine map[int]bool
	mine = map[int]bool{n: true}
	mine[1] = seen[n]
})

// under has the caller of put hold the lock.
func under(n int) {
	mu.Lock()
	defer mu.Unlock()
	put(n)
	seen[n] = true
}

func put(n int) { table.n = n }

var sum = par.DefineReduce("sum", func(into, from *int) { *into += *from })

var adds = task.Define0("adds", func(c *edt.Ctx, n int) { *sum.Value(c) += n })
