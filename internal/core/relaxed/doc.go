// Package relaxed stores words that other threads read atomically, if the store
// needs no ordering of its own because a later atomic operation publishes it.
//
// Go has only sequentially consistent atomics, and on amd64 such a store is an
// XCHG, 2 to 7 ns. There a plain store does: it is a single MOV, and stores become
// visible in program order. Elsewhere, and for the race detector, it is the atomic
// one.
package relaxed
