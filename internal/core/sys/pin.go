package sys

import goruntime "runtime"

// Pin locks the calling goroutine to its thread, and the thread to a CPU; undo reverses both. If the mask cannot be
// restored, the goroutine stays locked, and the thread ends with it.
func Pin(cpu int) (undo func(), err error) {
	goruntime.LockOSThread()
	before, err := GetAffinity()
	if err != nil {
		goruntime.UnlockOSThread()
		return nil, err
	}
	restore := func() {
		if SetAffinity(before) == nil {
			goruntime.UnlockOSThread()
		}
	}
	if err := SetAffinity([]int{cpu}); err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}
