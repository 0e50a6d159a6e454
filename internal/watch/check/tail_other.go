//go:build !amd64

package check

// returnsAt returns false: the code of this processor is not known here.
func returnsAt(uintptr) bool { return false }
