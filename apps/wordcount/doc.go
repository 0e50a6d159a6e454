// Package wordcount counts the words of a compressed text: map and reduce behind a pipeline with
// back-pressure.
//
// One EDT after the other reads: it inflates a block of text, and makes the next one that reads. Each block goes
// to an EDT of its own that counts, so how many of these there are is known when the text ends only.
// Counting EDTs add to tables, of which there is one for each processor; at the end EDTs merge two
// tables into one until one is left.
//
// Channel events do all of the synchronisation:
//
//   - free brings buffers. There are Ahead of them, and the reader takes one for each block: if it is that far
//     ahead of counting it waits for one to come back. A buffer is a credit.
//   - a shelf brings tables. A channel event pairs what comes with what waits in order of time, so EDTs that merge,
//     which the reader creates after the last block, get their tables after all that count.
//     The result of a merge goes the same way. So nothing else is needed to find the end of the counting.
//
// Over ranks each table has a shelf of its own and a worker, with its part of the stream and of the buffers. The
// workers take turns: each reads the block of text that it counts.
//
// A word that crosses the end of a block is counted with the next one: the reader copies its beginning
// there.
//
// The text is one stream of package compress/flate, flushed at the end of each block. What a reader of a
// stream knows is the last 32 KiB of text: they are in a block, so the reader may go on anywhere. Tables are flat too.
package wordcount
