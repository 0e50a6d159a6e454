package overhead

import (
	"fmt"
	"sync"

	"ocr/edt"
	"ocr/guid"
)

// mostTemplates bounds the templates of a run, which has room for twice as many.
const mostTemplates = 1 << 18

func edtRows() []*Row {
	var rows []*Row
	for _, slots := range slotCounts {
		rows = append(rows, edtCreate(slots))
	}
	rows = append(rows, &Row{
		Section: EDTs, Name: "edt-destroy/slots=2", What: "destroying an EDT that waits",
		measure: call{
			prepare: createEDTs(2), act: destroyEDTs,
			counts: edt.Counters{EDTCreated: 1, EDTDestroyed: 1},
		}.measure,
	})
	for _, n := range []int{1000, 100_000} {
		rows = append(rows, edtRun(n))
	}
	return append(rows, templateRows()...)
}

func edtCreate(slots int) *Row {
	r := &Row{Section: EDTs, Name: fmt.Sprintf("edt-create/slots=%d", slots), What: "creating an EDT, all slots open"}
	c := call{act: createEDTs(slots), tidy: destroyEDTs, counts: edt.Counters{EDTCreated: 1, EDTDestroyed: 1}}
	if slots == 0 {
		r.What = "creating an EDT, which is handed to the worker's queue at once; in a finish scope"
		c.tidy, c.counts = nil, ran(1)
	}
	r.measure = c.measure
	return r
}

// producer makes EDTs without slots.
var producer = edt.NewTemplate("overhead.producer", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.NewEDT(bare[0], nil)
	}
	return guid.Null
})

func edtRun(n int) *Row {
	return &Row{
		Section: EDTs, Name: fmt.Sprintf("edt-create-run/n=%d", n),
		What: "one of n independent EDTs made by another in a finish scope, from its creation to its end",
		measure: graph{
			parts:  n,
			build:  func(c *edt.Ctx, end guid.GUID) { inScope(c, end, producer, uint64(n)) },
			counts: plus(scopeCounts, ran(uint64(n))),
		}.measure,
		Peers: append(ofFew(n, peerGraph{n, func() uint64 { return goroutines(n) }}.peer("goroutine-waitgroup")),
			peerGraph{n, func() uint64 { return throughChannel(n) }}.peer("goroutine-channel")),
	}
}

// mostGoroutines bounds the goroutines that a peer has at a time: each takes some 3 KiB.
const mostGoroutines = 10_000

// ofFew returns the peer of a row with n goroutines, none where they would be too many.
func ofFew(n int, p Peer) []Peer {
	if n > mostGoroutines {
		return nil
	}
	return []Peer{p}
}

// goroutines starts so many goroutines and waits for them.
func goroutines(n int) uint64 {
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
	return count(done)
}

func count(done []uint8) (n uint64) {
	for _, d := range done {
		n += uint64(d)
	}
	return n
}

// throughChannel has one goroutine take so many jobs from a channel.
func throughChannel(n int) uint64 {
	jobs, ended := make(chan int, 256), make(chan uint64)
	go func() {
		sum := uint64(0)
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
	counts := edt.Counters{TemplateCreated: 1, TemplateDestroyed: 1}
	return []*Row{
		{
			Section: EDTs, Name: "template-create", What: "making a template of the run",
			measure: call{most: mostTemplates, act: create, tidy: destroy, counts: counts}.measure,
		},
		{
			Section: EDTs, Name: "template-destroy", What: "destroying it",
			measure: call{most: mostTemplates, prepare: create, act: destroy, counts: counts}.measure,
		},
	}
}
