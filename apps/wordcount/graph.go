package wordcount

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// A shelf is shared by the EDTs of a rank: channels of free buffers and of free tables, and the place of the EDTs.
type shelf struct {
	Free, Tables task.Event[byte]
	At           edt.Affinity
}

// A reading is the parameters of the EDTs that read: the event that receives the table with all counts, and the numbers
// of buffers and tables.
type reading struct {
	Result          task.Event[byte]
	Buffers, Tables int // numbers for each shelf
}

// A window is the text before a position in the stream.
type window = task.Headed[position, byte]

// start creates buffers, tables and the first EDT that reads. On one rank no EDT has a place: idle workers steal the
// EDTs that the reader creates, and the next reader runs where a buffer has become free. With several ranks, the ranks
// read blocks in turn, and each counts the blocks that it reads.
func start(c *edt.Ctx, cfg Config, stream task.Block[byte], result task.Event[byte]) {
	ranks, lanes := c.Ranks(), min(c.Places(), cfg.blocks())
	p := reading{result, trial.Parts(min(cfg.Ahead, cfg.blocks()), ranks), trial.Parts(lanes, ranks)}
	list, shelves := task.Make[shelf](c, ranks)
	for k := range shelves {
		at := edt.Affinity(0)
		if ranks > 1 {
			at = c.Place(k * c.Places() / ranks)
		}
		s := shelf{task.Channel[byte](c, p.Buffers, at), task.Channel[byte](c, p.Buffers+2*lanes*ranks, at), at}
		for range p.Tables {
			s.Tables.Pass(c, task.Reserve[byte](c, tableBytes(cfg.words()), at))
		}
		for range p.Buffers {
			s.Free.Pass(c, task.Reserve[byte](c, bufferBytes(cfg.Block), at))
		}
		shelves[k] = s
	}
	before, at, _ := task.MakeHeaded[position, byte](c, windowBytes)
	at.Left = cfg.blocks()
	next := shelves[at.Left%ranks]
	list.Release(c)
	before.Release(c)
	p.goOn(c, next, stream, before, list)
}

// goOn creates the EDT that reads the next block; it waits for a buffer. Workers prefer it to the EDTs that count, by
// its priority, so it stays ahead of them.
func (p reading) goOn(c *edt.Ctx, s shelf, stream task.Block[byte], before task.Block[window],
	shelves task.Block[shelf]) {
	options := task.Opt{At: s.At, Priority: 1}
	read.New(c, p, stream.From(), before.From(), shelves.From(), s.Free.From(), options)
}

// read fills a buffer with the next block of text, and creates the EDT that counts its words, and the EDT that reads
// the next block.
var read = task.Declare4[reading, task.Const[byte], task.RW[window], task.Const[shelf], task.RW[byte]]("wordcount.read")

var _ = read.Body(func(c *edt.Ctx, p reading, stream task.Const[byte], before task.RW[window],
	shelves task.Const[shelf], buffer task.RW[byte]) {
	at := task.Head(before)
	s := shelves.At(at.Left % shelves.Len())
	from, to, err := at.next(stream.Slice(), task.Rest(before), buffer.Slice())
	if err != nil {
		panic(err)
	}
	left := at.Left
	buffer.Release(c)
	before.Release(c)
	count.New(c, counting{s, from, to}, buffer.Block().From(), s.Tables.From(), task.Opt{At: s.At})
	if left > 0 {
		p.goOn(c, shelves.At(left%shelves.Len()), stream.Block(), before.Block(), shelves.Block())
		return
	}
	before.Destroy(c)
	stream.Destroy(c)
	p.reduce(c, shelves)
})

// counting is the part of a buffer that has the words, and the shelf to which the buffer and the table return.
type counting struct {
	shelf
	From, To int
}

// count adds the words of a text to a table. Waiting EDTs get tables in the order of their creation.
var count = task.Define2("wordcount.count", func(c *edt.Ctx, p counting, text task.Const[byte], counts task.RW[byte]) {
	tableIn(counts.Slice()).count(text.Slice()[p.From:p.To])
	text.SendTo(c, p.Free)
	counts.SendTo(c, p.Tables)
})

// reduce creates the EDTs that merge tables, one less than there are tables: each takes two from shelves, and returns
// one to the first shelf. The EDT that ends the flow gets the last table, and the buffers when they are free.
func (p reading) reduce(c *edt.Ctx, shelves task.Const[shelf]) {
	first := shelves.At(0).Tables
	for k := 1; k < p.Tables*shelves.Len(); k++ {
		merge.New(c, first, first.From(), shelves.At(k%shelves.Len()).Tables.From())
	}
	var buffers []task.Source[byte]
	for _, s := range shelves.All() {
		for range p.Buffers {
			buffers = append(buffers, s.Free.From())
		}
	}
	end.New(c, p.Result, shelves.Block().From(), append(buffers, first.From()))
}

var merge = task.Define2("wordcount.merge", func(c *edt.Ctx, to task.Event[byte], into task.RW[byte],
	from task.Const[byte]) {
	tableIn(into.Slice()).merge(tableIn(from.Slice()))
	from.Destroy(c)
	into.SendTo(c, to)
})

// end destroys the objects of the shelves, and sends the last table, whose slot is behind those of the buffers.
var end = task.DefineN("wordcount.end", func(c *edt.Ctx, result task.Event[byte], shelves task.Const[shelf],
	blocks task.List[task.Ref[byte]]) {
	last := blocks.Len() - 1
	for k := range last {
		blocks.At(k).Destroy(c)
	}
	for _, s := range shelves.Slice() {
		s.Free.Destroy(c)
		s.Tables.Destroy(c)
	}
	shelves.Destroy(c)
	result.Pass(c, blocks.At(last).Block())
})
