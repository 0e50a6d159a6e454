package overhead

import (
	"bytes"
	"fmt"
	"sync"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

// slotCounts are the numbers of slots that EDTs are created with.
var slotCounts = []int{0, 1, 2, 4, 16}

// bare are templates of EDTs that do nothing, by their number of slots.
var bare = func() map[int]*edt.Template {
	m := make(map[int]*edt.Template)
	for _, n := range slotCounts {
		m[n] = edt.NewTemplate(fmt.Sprintf("overhead.slots-%d", n), 0, n, nothing)
	}
	return m
}()

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

func edtRows() []*Row {
	ready := call{act: createEDTs(0), perOp: ran(1)}
	rows := []*Row{ready.row("edt-create/slots=0",
		"creating an EDT, which is handed to the worker's queue at once; in a finish scope")}
	for _, slots := range slotCounts[1:] {
		create := call{act: createEDTs(slots), tidy: destroyEDTs, perOp: waitingEDT}
		rows = append(rows, create.row(fmt.Sprintf("edt-create/slots=%d", slots), "creating an EDT, all slots open"))
	}
	destroy := call{prepare: createEDTs(2), act: destroyEDTs, perOp: waitingEDT}
	rows = append(rows, destroy.row("edt-destroy/slots=2", "destroying an EDT that waits"))
	for _, n := range []int{1000, 100_000} {
		rows = append(rows, edtRun(n))
	}
	return append(rows, templateRows()...)
}

func createEDTs(slots int) func(c *edt.Ctx, l *lane) {
	t := bare[slots]
	return func(c *edt.Ctx, l *lane) {
		for k := range l.objects {
			l.objects[k] = c.NewEDT(t, nil)
		}
	}
}

func destroyEDTs(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.DestroyEDT(e)
	}
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
		"one of n independent EDTs made by another in a finish scope, from its creation to its end",
		n, producer, n, ran(n), ofFew("goroutine-waitgroup", n, goroutines)...)
	row.Does = oneMakes
	row.Peers = append(row.Peers, graphPeer("goroutine-channel", n, func() int { return throughChannel(n) }))
	programs := []program{
		{"tbb-task_group", peers.TBB, "independent", oneMakes}, {"omp-task", peers.OpenMP, "independent", oneMakes},
		{"gomp-task", peers.GOMP, "independent", oneMakes}, {"tbb-parallel_for", peers.TBB, "independent-loop", inALoop},
		{"omp-taskloop", peers.OpenMP, "independent-loop", inALoop},
		{"gomp-taskloop", peers.GOMP, "independent-loop", inALoop}, {"starpu", peers.StarPU, "independent", oneMakes},
	}
	if n > 1000 { // StarPU takes microseconds for each
		programs = programs[:len(programs)-1]
	}
	row.Peers = append(row.Peers, asked(func(b *Bench) (peers.Request, int) {
		n := b.sized(n, 10)
		return peers.Request{Sizes: []int{n}, Want: sumTo(n)}, n
	}, programs...)...)
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
	open := func(_ *edt.Ctx, l *lane) { l.templates = make([]*edt.Template, l.n) }
	each := edt.Counters{TemplateCreated: 1, TemplateDestroyed: 1}
	return []*Row{
		call{open: open, act: create, tidy: destroy, perOp: each}.row("template-create", "making a template of the run"),
		call{open: open, prepare: create, act: destroy, perOp: each}.row("template-destroy", "destroying it"),
	}
}
