// Package cell reads and writes words of a data block that EDTs on several workers
// hold in mode RW at the same time. OCR leaves what happens to such words to the
// program (1.2, 1.4.2); these are the accesses with which a program can say it.
//
//	go run: worker 0                    worker 1
//	copy(payload, data)                 for cell.Load(flag) != turn {
//	cell.Store(flag, turn)              }
//	                                    use(payload)
//
// [Store] releases and [Load] acquires: an EDT that sees the flag sees what was written
// before it. Both are one plain instruction of the element's width on amd64 (MOV)
// and one ordered instruction on arm64 (LDAR, STLR), 1, 2, 4 or 8 bytes wide;
// sync/atomic has no 1- and 2-byte operations, and its stores are an XCHG on amd64,
// 24 times slower than a MOV in an array. They are assembly, so the compiler neither
// moves a load out of a loop nor tears or merges stores.
//
// No function here waits for good. Those that poll do so a bounded number of times;
// the loop around them is Go, which the scheduler and the collector can interrupt. They
// would wait for ever for an endless loop in assembly.
//
// Under the race detector and on other processors everything is sync/atomic, which
// the detector knows as synchronisation; 1- and 2-byte stores are then a
// compare-and-swap of the aligned 4 bytes around them.
package cell
