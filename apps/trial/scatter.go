package trial

import (
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// The input of an App is on rank 0, and so is its result. Scatter and Gather have its blocks made, read and destroyed
// on the ranks that use them. Each of those gets one block with all its pieces, so that takes few messages.

// ByRank returns which of n pieces, which have places, each rank has.
func ByRank(c *edt.Ctx, n int, at func(k int) edt.Affinity) [][]int {
	of := make([][]int, c.Ranks())
	for k := range n {
		rank := at(k).Worker() * c.Ranks() / c.Places()
		of[rank] = append(of[rank], k)
	}
	return of
}

// Scatter makes a block of each piece, on the rank of its place, and then calls begin: at once, or in another EDT when
// the blocks of other ranks are there.
func Scatter[T any](c *edt.Ctx, pieces [][]T, at func(k int) edt.Affinity,
	begin func(c *edt.Ctx, blocks []task.Block[T])) {
	of, blocks := ByRank(c, len(pieces), at), make([]task.Block[T], len(pieces))
	for _, k := range of[0] {
		blocks[k] = task.Of(c, pieces[k]...)
		blocks[k].Release(c)
	}
	var named []edt.Source
	var each [][]int // of the blocks that are named
	for _, mine := range of[1:] {
		if len(mine) == 0 {
			continue
		}
		list, to := task.Make[piece](c, len(mine))
		var all []T
		for n, k := range mine {
			all, to[n].Bytes = append(all, pieces[k]...), len(pieces[k])*int(unsafe.Sizeof(all[0]))
		}
		bytes, names := task.Of(c, all...), task.Counted[piece](c, 1)
		list.Release(c)
		bytes.Release(c)
		unpack.NewAt(c, at(mine[0]), names, list.From(), task.Block[byte](bytes).From())
		named, each = append(named, edt.From(names.GUID, datablock.RO)), append(each, mine)
	}
	if named == nil {
		begin(c, blocks)
		return
	}
	once(c, "trial.scattered", named, func(c *edt.Ctx, in edt.Args) {
		for n, mine := range each {
			for i, p := range task.SlotOf[task.RO[piece]](in, n).Slice() {
				blocks[mine[i]].GUID = p.Block
			}
		}
		begin(c, blocks)
	})
}

// A piece is a block to be made.
type piece struct {
	Bytes int
	Block guid.GUID
}

// unpack makes blocks of pieces, which follow on each other in a block, and sends their names.
var unpack = task.Define2("trial.unpack", func(c *edt.Ctx, names task.Event[piece], list task.RW[piece],
	from task.Const[byte]) {
	bytes := from.Slice()
	for n := range list.Slice() {
		p := &list.Slice()[n]
		block := task.Of(c, bytes[:p.Bytes]...)
		block.Release(c)
		bytes, p.Block = bytes[p.Bytes:], block.GUID
	}
	from.Destroy(c)
	list.SendTo(c, names)
})

// Gather is [Collect] for a result of many pieces, each in a block that a source brings to its place. It copies them,
// and destroys the blocks that were used beside them. The clock stops when all pieces are where they are made.
func Gather[T any](c *edt.Ctx, name string, clock *Clock, sources []guid.GUID, result [][]T,
	at func(k int) edt.Affinity, used ...guid.GUID) {
	of := ByRank(c, len(result), at)
	var slots []edt.Source
	for _, g := range used {
		slots = append(slots, edt.From(g, datablock.Null))
	}
	first := len(slots)
	for _, k := range of[0] {
		slots = append(slots, edt.From(sources[k], datablock.RO))
	}
	var packed []edt.Source
	var from []packing
	var each [][]int // of the blocks that are packed
	for _, mine := range of[1:] {
		if len(mine) == 0 {
			continue
		}
		p := packing{at(mine[0]), task.Counted[task.Nothing](c, 1), task.Counted[task.Nothing](c, 1, at(mine[0])),
			task.Counted[byte](c, 1)}
		slots = append(slots, edt.From(p.Ready.GUID, datablock.Null))
		packed, from, each = append(packed, edt.From(p.All.GUID, datablock.RO)), append(from, p), append(each, mine)
		list, to := task.Make[task.Event[byte]](c, len(mine))
		for n, k := range mine {
			to[n].GUID = sources[k]
		}
		list.Release(c)
		await.NewAt(c, p.At, p, list.From())
	}
	Collect(c, name, clock, slots, func(c *edt.Ctx, in edt.Args) {
		for n, k := range of[0] {
			copy(result[k], task.SlotOf[task.RO[T]](in, first+n).Slice())
		}
		for _, p := range from {
			p.Go.Signal(c)
		}
		if from != nil {
			once(c, "trial.gathered", packed, func(_ *edt.Ctx, in edt.Args) {
				for n, mine := range each {
					all := task.SlotOf[task.RO[T]](in, n).Slice()
					for _, k := range mine {
						all = all[copy(result[k], all):]
					}
				}
			})
		}
	})
}

// packing is the events for the pieces of a rank. Others may read the blocks until all ranks are ready.
type packing struct {
	At        edt.Affinity
	Ready, Go task.Event[task.Nothing]
	All       task.Event[byte] // takes them in one block
}

// await waits for the pieces on their rank, so that rank 0 need not know the blocks.
var await = task.Define1("trial.await", func(c *edt.Ctx, p packing, list task.Const[task.Event[byte]]) {
	var pieces []task.Source[byte]
	for _, piece := range list.All() {
		pieces = append(pieces, piece.From())
	}
	list.Destroy(c)
	ready.NewWith(c, task.Opt{At: p.At}, p, task.None[task.Nothing](), pieces, nil)
})

var ready = task.DefineN("trial.ready", func(c *edt.Ctx, p packing, _ task.After, pieces task.List[task.Ref[byte]],
	_ task.List[task.After]) {
	var blocks []task.Source[byte]
	for k := range pieces.Len() {
		blocks = append(blocks, pieces.At(k).Block().From())
	}
	pack.NewWith(c, task.Opt{At: p.At}, p.All, p.Go.After(), blocks, nil)
	p.Ready.Signal(c)
})

// pack sends the elements of blocks in one block, and destroys those.
var pack = task.DefineN("trial.pack", func(c *edt.Ctx, to task.Event[byte], _ task.After,
	pieces task.List[task.RO[byte]], _ task.List[task.After]) {
	bytes := 0
	for k := range pieces.Len() {
		bytes += pieces.At(k).Len()
	}
	all, rest := task.Make[byte](c, bytes)
	for k := range pieces.Len() {
		rest = rest[copy(rest, pieces.At(k).Slice()):]
		pieces.At(k).Destroy(c)
	}
	to.Send(c, all)
})
