package edt

// callerPC returns where the function that calls it returns to, which must not be inlined. It
// is [runtime.Caller] for calls that have no time for that.
func callerPC() uintptr

// callerPCs returns where the function that calls it, and that one's caller, return to. Neither must be inlined.
func callerPCs() (pcs callers)

// framePCs stores where the function that calls it and those above it return to, innermost first, as many as fit, and
// returns their number. A frame may have several functions, since some are inlined.
//
//go:noescape
func framePCs(pcs []uintptr) (n int)
