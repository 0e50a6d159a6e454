//go:build !amd64

package edt

import goruntime "runtime"

// callerPC returns 0: where the call stands is not known.
func callerPC() uintptr { return 0 }

// callerPCs returns where the function that calls it and the caller of that function return to.
func callerPCs() (pcs callers) {
	goruntime.Callers(3, pcs[:])
	return pcs
}
