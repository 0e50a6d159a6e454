// Package sys is the project's one door to the operating system's threads: CPU
// affinity, futexes, the processor's spin-wait hint, clocks and memory size.
// No other package imports golang.org/x/sys/unix.
//
// A worker that wants a processor of its own locks its thread, keeps the mask it
// inherited, and gives it back before it unlocks; a thread that is unlocked with
// a narrow mask stays narrow for every goroutine that runs on it later:
//
//	goruntime.LockOSThread()
//	defer goruntime.UnlockOSThread()
//	inherited, err := sys.GetAffinity()
//	if err != nil {
//		return err
//	}
//	if err := sys.SetAffinity(inherited[:1]); err != nil {
//		return err
//	}
//	defer sys.SetAffinity(inherited)
//
// Guaranteed on Linux. Elsewhere the package builds and degrades: affinity
// returns [errors.ErrUnsupported], what is unknown is -1 or 0, and a futex wait
// is a short sleep, which its contract allows.
package sys
