// Package block has the insides of data blocks: their memory, and who may have access
// to them when. Package datablock has what programs see of them, package edt creates,
// acquires and releases them for EDTs.
//
// A [Store] holds the blocks of a run, a [Local] is one worker's part of it. The state
// word of a [Record] says who holds the block. EDTs that cannot have it wait in its
// queue. Free memory is in the magazines of the workers, and in the spans of the arena.
package block
