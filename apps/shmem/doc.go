// Package shmem is a small partitioned global address space on EDTs: processing
// elements (PEs) that put into, get from and reduce over each other's memory.
//
// PE i is pinned: its EDTs are bound to worker i. Each PE has a symmetric segment, one data block of the same size and
// with the same offsets on every PE, so that an address is a PE and an offset. A [World] makes the blocks; it is used
// in two forms.
//
// In the direct form one EDT per PE holds all segments in RW mode: the program synchronises itself, by the methods of
// its [PE].
//
//	var hello = shmem.NewProgram("hello", func(c *edt.Ctx, pe *shmem.PE) {
//		next := (pe.Rank() + 1) % pe.Size()
//		pe.Put(next, 0, []byte("hello"))
//		pe.Barrier() // now the neighbour has it
//	})
//
//	world := shmem.NewWorld(c, shmem.Config{PEs: c.Workers(), Bytes: 1 << 20})
//	c.NewEDT(cleanUp, nil, edt.From(world.Run(c, hello), datablock.Null))
//
// In the graph form, [Flow], the same operations are EDTs and events: nothing in it polls or blocks.
//
// # Ranks
//
// In a run over several ranks the PEs of a rank are its workers. A [Program] has a name, by which each rank finds it;
// further data is in [Config.Arg]. Segments are on the ranks of their PEs, and are reached by the calls of
// [edt.Ctx.Window]: runtime.Window gives the run one, of [WindowBytes] for each rank, which one world at a time has.
//
// # Completion
//
// A transfer is locally complete when the caller's memory may be used again, and remotely complete when every PE would
// read what was put. Puts are completed by [PE.Quiet], and by what notifies another PE of them: [PE.Notify] and
// [PE.PutFlag] for that PE, [PE.Barrier] for all. Gets are complete when they return.
//
// # Lifetime
//
// Offsets and slices are valid inside the EDT that a PE was given to. The segments live until [World.Destroy]; the next
// [World.Run] finds what one has left in them.
//
// # Transports
//
// The methods of PE check their arguments and call a [Transport]; [World] has one for segments in memory, and one for
// those in a window.
package shmem
