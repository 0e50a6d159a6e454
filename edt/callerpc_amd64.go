package edt

// callerPC returns where the function that calls it returns to; that function must not be inlined. It is
// [runtime.Caller] for calls that have no time for that.
func callerPC() uintptr

// callerPCs returns where the function that calls it and the caller of that function return to. Neither must be
// inlined.
func callerPCs() (pcs callers)
