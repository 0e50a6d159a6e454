package ids

import "ocr/internal/core/sys"

// An Owner is a goroutine that is locked to its thread. Coroutines that it resumes (iter.Pull) run on the same thread,
// and count as the owner.
type Owner struct {
	goroutine uintptr
	thread    int
}

// Owning returns the calling goroutine, which must be locked to its thread.
func Owning() Owner { return Owner{sys.Goroutine(), sys.ThreadID()} }

// Calls reports whether the caller is the owner. It returns true if this is not known: for the zero Owner, and where
// [sys.Goroutine] returns 0.
func (o *Owner) Calls() bool {
	return o.goroutine == sys.Goroutine() || o.goroutine == 0 || o.thread == sys.ThreadID()
}
