package edt

// callerPC returns the return address of the function that calls it, which must not be inlined. It takes much less time
// than [runtime.Caller].
func callerPC() uintptr

// callerPCs returns the return addresses of the function that calls it and of that function's caller. Neither may be
// inlined.
func callerPCs() (pcs callers)
