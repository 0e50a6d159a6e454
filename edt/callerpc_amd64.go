package edt

// callerPC returns where the function that calls it returns to, which must not be inlined. It
// is [runtime.Caller] for calls that have no time for that.
func callerPC() uintptr

// callerPCs returns where the function that calls it, and that one's caller, return to. Neither must be inlined.
func callerPCs() (pcs callers)
