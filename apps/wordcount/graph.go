package wordcount

import (
	"ocr/edt"
	"ocr/task"
)

// A flow is what all EDTs of a run know: the events that they use.
type flow struct {
	Free   task.Event[byte] // brings buffers that may be filled
	Tables task.Event[byte] // brings tables that nobody uses
	Result task.Event[byte] // brings the table with all counts
}

// A plan says how much is under way at a time.
type plan struct {
	Buffers, BufferBytes int
	Lanes                int // tables: so many EDTs count at a time
}

// start makes the buffers, the tables and the reader. The stream is destroyed when it is read.
func start(c *edt.Ctx, p plan, stream task.Block[byte], result task.Event[byte]) {
	f := flow{task.Channel[byte](c, p.Buffers), task.Channel[byte](c, p.Buffers+2*p.Lanes), result}
	for range p.Lanes {
		f.Tables.Pass(c, task.Reserve[byte](c, tableBytes(firstTable)))
	}
	for range p.Buffers {
		f.Free.Pass(c, task.Reserve[byte](c, p.BufferBytes))
	}
	before := task.ReserveHeaded[position, byte](c, windowBytes)
	read.NewWith(c, task.Opt{Priority: 1}, reading{f, p}, stream.From(), before.From(), f.Free.From())
}

type reading struct {
	flow
	plan
}

// A window is the text before a position in the stream.
type window = task.Headed[position, byte]

// read fills a buffer with the next block of text, creates the EDT that counts its words, and goes on when there
// is a buffer for another one. Its priority makes it go before the EDTs that count, so it stays ahead of them.
//
// No EDT has an affinity: the other workers steal what the reader creates, and the reader goes on where a buffer
// came free. With a place it would wait there for an EDT that counts.
var read = task.Declare3[reading, task.Const[byte], task.RW[window], task.RW[byte]]("wordcount.read")

var _ = read.Body(func(c *edt.Ctx, p reading, stream task.Const[byte], before task.RW[window], buffer task.RW[byte]) {
	at := task.Head(before)
	from, to, err := at.next(stream.Slice(), task.Rest(before), buffer.Slice())
	if err != nil {
		panic(err)
	}
	ended := at.ended(stream.Slice())
	if !ended {
		read.Again2(c, p.Free.From())
	}
	buffer.Release(c)
	count.New(c, counting{p.flow, from, to}, buffer.Block().From(), p.Tables.From())
	if ended {
		stream.Destroy(c)
		before.Destroy(c)
		reduce(c, p)
	}
})

type counting struct {
	flow
	From, To int
}

// count adds the words of a text to a table. EDTs that wait for a table get it in the order in which they were made.
var count = task.Define2("wordcount.count", func(c *edt.Ctx, p counting, text task.Const[byte], counts task.RW[byte]) {
	block := counts.Block()
	tableIn(counts.Slice()).count(text.Slice()[p.From:p.To], inBlocks(c, &block))
	text.SendTo(c, p.Free)
	p.Tables.Send(c, block)
})

// reduce makes the EDTs that merge tables, one less than there are tables: each takes two from the event, and
// gives one back. The last table, and the buffers, when they are back, go to the EDT that ends the flow.
func reduce(c *edt.Ctx, p reading) {
	for range p.Lanes - 1 {
		merge.New(c, p.flow, p.Tables.From(), p.Tables.From())
	}
	buffers := make([]task.Source[byte], p.Buffers)
	for k := range buffers {
		buffers[k] = p.Free.From()
	}
	end.New(c, p.flow, p.Tables.From(), buffers, nil)
}

// merge adds one table to another.
var merge = task.Define2("wordcount.merge", func(c *edt.Ctx, p flow, into task.RW[byte], from task.Const[byte]) {
	block := into.Block()
	tableIn(into.Slice()).merge(tableIn(from.Slice()), inBlocks(c, &block))
	from.Destroy(c)
	p.Tables.Send(c, block)
})

// end passes the last table on. Nobody uses the flow any more.
var end = task.DefineN("wordcount.end", endFlow)

func endFlow(c *edt.Ctx, p flow, counts task.RW[byte], buffers task.List[task.Ref[byte]], _ task.List[task.After]) {
	for k := range buffers.Len() {
		buffers.At(k).Destroy(c)
	}
	p.Free.Destroy(c)
	p.Tables.Destroy(c)
	counts.SendTo(c, p.Result)
}

// inBlocks is the grower for EDTs: a table grows into another block, which takes the place of its own.
func inBlocks(c *edt.Ctx, block *task.Block[byte]) grower {
	return func(old table) table {
		bigger, memory := task.Make[byte](c, tableBytes(2*len(old.slots)))
		t := tableIn(memory).merge(old, nil)
		block.Destroy(c)
		*block = bigger
		return t
	}
}
