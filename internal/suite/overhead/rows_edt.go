package overhead

import (
	"bytes"
	"fmt"
	"sync"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/peers"
)

func edtRows() []*Row {
	var rows []*Row
	for _, slots := range slotCounts {
		rows = append(rows, edtCreate(slots))
	}
	destroy := call{prepare: createEDTs(2), act: destroyEDTs, hooks: hooks{counts: waitingEDT}}
	rows = append(rows, destroy.row("edt-destroy/slots=2", "destroying an EDT that waits"))
	for _, n := range []int{1000, 100_000} {
		rows = append(rows, edtRun(n))
	}
	return append(rows, templateRows()...)
}

// waitingEDT counts one that is created and, before it has run, destroyed.
var waitingEDT = edt.Counters{EDTCreated: 1, EDTDestroyed: 1}

func edtCreate(slots int) *Row {
	what := "creating an EDT, all slots open"
	c := call{act: createEDTs(slots), tidy: destroyEDTs, hooks: hooks{counts: waitingEDT}}
	if slots == 0 {
		what = "creating an EDT, which is handed to the worker's queue at once; in a finish scope"
		c.tidy, c.counts = nil, ran(1)
	}
	return c.row(fmt.Sprintf("edt-create/slots=%d", slots), what)
}

// producer makes EDTs without slots.
var producer = edt.NewTemplate("overhead.producer", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.NewEDT(bare[0], nil)
	}
	return guid.Null
})

func edtRun(n int) *Row {
	row := inScopeRow(fmt.Sprintf("edt-create-run/n=%d", n),
		"one of n independent EDTs made by another in a finish scope, from its creation to its end", n, producer, n, ran(uint64(n)),
		append(ofFew("goroutine-waitgroup", n, goroutines),
			graphPeer("goroutine-channel", n, func() int { return throughChannel(n) }))...)
	ask := func(name string, l *peers.Library) {
		row.Others = append(row.Others, other(name, l, func(b *Bench) (peers.Request, int) {
			n := b.sized(n, 10)
			return peers.Request{Bench: "independent", Sizes: []int{n}, Want: sumTo(n)}, n
		}))
	}
	ask("tbb-task_group", peers.TBB)
	ask("omp-task", peers.OpenMP)
	if n <= 1000 { // it takes microseconds for each
		ask("starpu", peers.StarPU)
	}
	return row
}

// mostGoroutines bounds the goroutines that a peer has at a time: each takes some 3 KiB.
const mostGoroutines = 10_000

// ofFew is a peer with n goroutines; none if they would be too many.
func ofFew(name string, n int, run func(n int) int) []Peer {
	if n > mostGoroutines {
		return nil
	}
	return []Peer{graphPeer(name, n, func() int { return run(n) })}
}

// goroutines starts n goroutines and waits for them.
func goroutines(n int) int {
	var wg sync.WaitGroup
	done := make([]uint8, n)
	wg.Add(n)
	for k := range n {
		go func() {
			done[k] = 1
			wg.Done()
		}()
	}
	wg.Wait()
	return bytes.Count(done, []byte{1})
}

// throughChannel has one goroutine take n jobs from a channel.
func throughChannel(n int) int {
	jobs, ended := make(chan int, 256), make(chan int)
	go func() {
		sum := 0
		for range jobs {
			sum++
		}
		ended <- sum
	}()
	for k := range n {
		jobs <- k
	}
	close(jobs)
	return <-ended
}

func templateRows() []*Row {
	create := func(c *edt.Ctx, l *lane) {
		for k := range l.templates {
			l.templates[k] = c.NewTemplate("overhead.made", 0, 2, nothing)
		}
	}
	destroy := func(c *edt.Ctx, l *lane) {
		for _, t := range l.templates {
			c.DestroyTemplate(t)
		}
	}
	h := hooks{
		open:   func(_ *edt.Ctx, l *lane) { l.templates = make([]*edt.Template, l.n) },
		counts: edt.Counters{TemplateCreated: 1, TemplateDestroyed: 1},
	}
	return []*Row{
		call{act: create, tidy: destroy, hooks: h}.row("template-create", "making a template of the run"),
		call{prepare: create, act: destroy, hooks: h}.row("template-destroy", "destroying it"),
	}
}
