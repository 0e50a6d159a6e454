package wordcount

import (
	"ocr/edt"
	"ocr/task"
)

// A flow is what all EDTs of a run know: the events that they use.
type flow struct {
	Stream task.Event[byte] // brings the frames of the stream
	Free   task.Event[byte] // brings buffers that may be filled
	Result task.Event[byte] // brings the table with all counts
}

// A shelf brings tables that no EDT uses. If there is one shelf, any idle worker reads and counts. If each table has a
// shelf, the table has a place too, and stays there: the places take turns, and a block of text is read where it is
// counted.
type shelf = task.Event[byte]

// A plan says how much there is to read, and how much is under way at a time.
type plan struct {
	Blocks               int // of text
	Buffers, BufferBytes int
	Lanes                int // tables, and EDTs that count at a time
	Shelves              int // 1 or Lanes
}

// at returns the shelf for a block of text, and the place where the block is read and counted, when that many blocks
// are left.
func (p plan) at(c *edt.Ctx, left int) (shelf int, place edt.Affinity) {
	if p.Shelves == 1 {
		return 0, edt.Affinity(0)
	}
	shelf = left % p.Shelves
	return shelf, c.Place(shelf)
}

// start makes the buffers, the tables and the reader.
func start(c *edt.Ctx, p plan, stream, result task.Event[byte]) {
	f := flow{stream, task.Channel[byte](c, p.Buffers), result}
	list, shelves := task.Make[shelf](c, p.Shelves)
	for k := range shelves {
		_, place := p.at(c, k)
		shelves[k] = task.Channel[byte](c, p.Buffers+2*p.Lanes, place)
		for range p.Lanes / p.Shelves {
			shelves[k].Pass(c, task.Reserve[byte](c, tableBytes(firstTable)))
		}
	}
	list.Release(c)
	for range p.Buffers {
		f.Free.Pass(c, task.Reserve[byte](c, p.BufferBytes))
	}
	before, at, _ := task.MakeHeaded[position, byte](c, windowBytes)
	at.Left = p.Blocks
	before.Release(c)
	reading{f, p}.goOn(c, p.Blocks, before, list)
}

type reading struct {
	flow
	plan
}

// goOn makes the EDT that reads the next block, of those that are left. It waits for a buffer.
func (p reading) goOn(c *edt.Ctx, left int, before task.Block[window], shelves task.Block[shelf]) {
	_, place := p.at(c, left)
	options := task.Opt{At: place, Priority: 1}
	read.NewWith(c, options, p, p.Stream.From(), before.From(), shelves.From(), p.Free.From())
}

// A window is the text before a position in the stream.
type window = task.Headed[position, byte]

// read fills a buffer with the next block of text, creates the EDT that counts its words, and the next one that
// reads. Its priority makes it go before the EDTs that count, so it stays ahead of them.
//
// With one shelf no EDT has a place: the other workers steal what the reader creates, and the reader goes on where a
// buffer came free.
var read = task.Declare4[reading, task.Const[byte], task.RW[window], task.Const[shelf], task.RW[byte]]("wordcount.read")

var _ = read.Body(func(
	c *edt.Ctx, p reading,
	frame task.Const[byte], before task.RW[window], shelves task.Const[shelf], buffer task.RW[byte],
) {
	at := task.Head(before)
	shelf, place := p.at(c, at.Left)
	from, to, err := at.next(frame.Slice(), task.Rest(before), buffer.Slice())
	if err != nil {
		panic(err)
	}
	frame.Destroy(c)
	buffer.Release(c)
	part := counting{p.Free, shelves.At(shelf), from, to}
	count.NewAt(c, place, part, buffer.Block().From(), part.Tables.From())
	left := at.Left
	if left == 0 {
		before.Destroy(c)
		reduce(c, p, shelves)
		return
	}
	before.Release(c)
	p.goOn(c, left, before.Block(), shelves.Block())
})

type counting struct {
	Free     task.Event[byte]
	Tables   shelf
	From, To int
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
	first := shelves.At(0)
	for k := range p.Lanes - 1 {
		merge.New(c, first, first.From(), shelves.At((k+1)%p.Shelves).From())
	}
	buffers := make([]task.Source[byte], p.Buffers)
	for k := range buffers {
		buffers[k] = p.Free.From()
	}
	end.New(c, p.flow, first.From(), buffers, []task.Source[shelf]{shelves.Block().From()})
}

// merge adds one table to another.
var merge = task.Define2("wordcount.merge", func(c *edt.Ctx, to shelf, into task.RW[byte], from task.Const[byte]) {
	block := into.Block()
	tableIn(into.Slice()).merge(tableIn(from.Slice()), inBlocks(c, &block))
	from.Destroy(c)
	to.Send(c, block)
})

// end passes the last table on, and destroys the events of the flow.
var end = task.DefineN("wordcount.end", endFlow)

func endFlow(
	c *edt.Ctx, p flow, counts task.RW[byte], buffers task.List[task.Ref[byte]], shelves task.List[task.Const[shelf]],
) {
	for k := range buffers.Len() {
		buffers.At(k).Destroy(c)
	}
	p.Free.Destroy(c)
	p.Stream.Destroy(c)
	for _, s := range shelves.At(0).Slice() {
		s.Destroy(c)
	}
	shelves.At(0).Destroy(c)
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
