// Package sys is the project's one door to the operating system's threads: CPU
// affinity, futexes, the processor's spin-wait hint, clocks, counters, memory size and memory
// that processes share.
// No other package imports golang.org/x/sys/unix.
//
// A worker that wants a processor of its own calls [Pin]. Whoever calls [SetAffinity]
// locks its goroutine to the thread, and restores the mask before it unlocks: a thread
// that is unlocked with a narrow mask stays narrow for every goroutine that runs on it later.
//
// Guaranteed on Linux. Elsewhere the package builds and degrades: affinity
// returns [errors.ErrUnsupported], what is unknown is -1 or 0, and a futex wait
// is a short sleep, which its contract allows.
package sys
