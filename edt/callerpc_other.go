//go:build !amd64

package edt

import goruntime "runtime"

// callerPC returns 0: where the call stands is not known.
func callerPC() uintptr { return 0 }

// callerPCs returns the return addresses of the function that calls it and of that function's caller.
func callerPCs() (pcs callers) {
	goruntime.Callers(3, pcs[:])
	return pcs
}
