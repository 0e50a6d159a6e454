package wordcount

import (
	"ocr/edt"
	"ocr/task"
)

// start makes the buffers, the tables and the reader.
func start(c *edt.Ctx, p plan, text []task.Block[byte], result task.Event[byte]) {
	list, shelves := task.Make[shelf](c, p.Shelves)
	for k := range shelves {
		_, place := p.at(c, k)
		s := &shelves[k]
		*s = shelf{
			task.Block[source]{GUID: text[k].GUID}, task.Channel[byte](c, p.Buffers, place),
			task.Channel[byte](c, p.Buffers+2*p.Lanes, place),
		}
		for range p.Lanes / p.Shelves {
			s.Tables.Pass(c, task.Reserve[byte](c, tableBytes(firstTable), place))
		}
		for range p.Buffers {
			s.Free.Pass(c, task.Reserve[byte](c, p.BufferBytes, place))
		}
	}
	before, at, _ := task.MakeHeaded[position, byte](c, windowBytes)
	at.Left = p.Blocks
	r := reading{result, p}
	_, place := p.at(c, p.Blocks)
	next := shelves[p.Blocks%p.Shelves]
	list.Release(c)
	before.Release(c)
	r.goOn(c, place, next, before, list)
}

type reading struct {
	Result task.Event[byte] // brings the table with all counts
	plan
}

// goOn makes the EDT that reads the next block, at a place, from a shelf. It waits for a buffer.
func (p reading) goOn(c *edt.Ctx, at edt.Affinity, s shelf, before task.Block[window], shelves task.Block[shelf]) {
	options := task.Opt{At: at, Priority: 1}
	read.NewWith(c, options, p, s.Text.From(), before.From(), shelves.From(), s.Free.From())
}

// A window is the text before a position in the stream.
type window = task.Headed[position, byte]

// read fills a buffer with the next block of text, creates the EDT that counts its words, and the next one that
// reads. Its priority makes it go before the EDTs that count, so it stays ahead of them.
//
// With one shelf no EDT has a place: the other workers steal what the reader creates, and the reader goes on where a
// buffer came free.
var read = task.Declare4[reading, task.RW[source], task.RW[window], task.Const[shelf], task.RW[byte]]("wordcount.read")

var _ = read.Body(func(
	c *edt.Ctx, p reading,
	text task.RW[source], before task.RW[window], shelves task.Const[shelf], buffer task.RW[byte],
) {
	at, done := task.Head(before), task.Head(text)
	k, place := p.at(c, at.Left)
	frame := firstFrame(task.Rest(text)[*done:])
	from, to, err := at.next(frame, task.Rest(before), buffer.Slice())
	if err != nil {
		panic(err)
	}
	*done += len(frame)
	text.Release(c)
	buffer.Release(c)
	s := shelves.At(k)
	count.NewAt(c, place, counting{s.Free, s.Tables, from, to}, buffer.Block().From(), s.Tables.From())
	left := at.Left
	if left == 0 {
		before.Destroy(c)
		reduce(c, p, shelves)
		return
	}
	before.Release(c)
	k, place = p.at(c, left)
	p.goOn(c, place, shelves.At(k), before.Block(), shelves.Block())
})

type counting struct {
	Free, Tables task.Event[byte]
	From, To     int
}

// count adds the words of a text to a table. EDTs that wait for a table get it in the order in which they were made.
var count = task.Define2("wordcount.count", func(c *edt.Ctx, p counting, text task.Const[byte], counts task.RW[byte]) {
	block := counts.Block()
	tableIn(counts.Slice()).count(text.Slice()[p.From:p.To], inBlocks(c, &block))
	text.SendTo(c, p.Free)
	p.Tables.Send(c, block)
})

// reduce makes the EDTs that merge tables, one less than there are tables: each takes two from shelves, and
// puts one back on the first. The last table, and the buffers, when they are back, go to the EDT that ends the flow.
func reduce(c *edt.Ctx, p reading, shelves task.Const[shelf]) {
	first := shelves.At(0).Tables
	for k := range p.Lanes - 1 {
		merge.New(c, first, first.From(), shelves.At((k+1)%p.Shelves).Tables.From())
	}
	var buffers []task.Source[byte]
	for _, s := range shelves.All() {
		for range p.Buffers {
			buffers = append(buffers, s.Free.From())
		}
	}
	end.New(c, p.Result, first.From(), buffers, []task.Source[shelf]{shelves.Block().From()})
}

// merge adds one table to another.
var merge = task.Define2("wordcount.merge", func(
	c *edt.Ctx, to task.Event[byte], into task.RW[byte], from task.Const[byte],
) {
	block := into.Block()
	tableIn(into.Slice()).merge(tableIn(from.Slice()), inBlocks(c, &block))
	from.Destroy(c)
	to.Send(c, block)
})

// end passes the last table on, and destroys what the shelves have.
var end = task.DefineN("wordcount.end", endFlow)

func endFlow(
	c *edt.Ctx, result task.Event[byte],
	counts task.RW[byte], buffers task.List[task.Ref[byte]], shelves task.List[task.Const[shelf]],
) {
	for k := range buffers.Len() {
		buffers.At(k).Destroy(c)
	}
	for _, s := range shelves.At(0).Slice() {
		s.Text.Destroy(c)
		s.Free.Destroy(c)
		s.Tables.Destroy(c)
	}
	shelves.At(0).Destroy(c)
	counts.SendTo(c, result)
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
