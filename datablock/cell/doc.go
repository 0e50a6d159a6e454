// Package cell reads and writes words of a data block that EDTs on several workers hold in mode RW at the same time.
// OCR leaves such accesses to the program (1.2, 1.4.2).
//
//	worker 0                            worker 1
//	copy(payload, data)                 for cell.Load(flag) != turn {
//	cell.Store(flag, turn)              }
//	                                    use(payload)
//
// [Store] releases and [Load] acquires: an EDT that sees the flag sees what was written before it. Each is one
// instruction of the element's width, 1, 2, 4 or 8 bytes: a plain one on amd64 (MOV), an ordered one on arm64 (LDAR,
// STLR). sync/atomic has no operations of 1 and 2 bytes, and its stores are an XCHG on amd64: for the elements of an
// array 24 times slower than a MOV. The functions are assembly, so the compiler neither moves a load out of a loop nor
// tears or merges stores.
//
// No function here waits without limit. Functions that poll do so a bounded number of times. The loop around them must
// be Go, which the scheduler and the collector can interrupt: both would wait for ever for an endless loop in assembly.
//
// Under the race detector and on other processors everything is sync/atomic, which the detector knows as
// synchronisation. A store of 1 or 2 bytes is then a compare-and-swap of the aligned 4 bytes around them.
package cell
