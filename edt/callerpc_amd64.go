package edt

// callerPC returns where the function that calls it returns to, which must not be inlined. It
// is [runtime.Caller] for calls that have no time for that.
func callerPC() uintptr
