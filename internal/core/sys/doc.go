// Package sys is the project's one door to the operating system: CPU affinity, futexes, the processor's spin-wait hint,
// clocks, memory and its protection, and limits of control groups. No other package imports golang.org/x/sys/unix.
//
// A worker that wants a processor of its own calls [Pin]. A caller of [SetAffinity] must lock its goroutine to the
// thread, and restore the mask before it unlocks: else every goroutine that runs on the thread later has the narrow
// mask.
//
// All of this holds on Linux. On other systems the package builds and does less: affinity returns
// [errors.ErrUnsupported], unknown numbers are -1 or 0, and a futex wait is a short sleep, which its contract allows.
package sys
