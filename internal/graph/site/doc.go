// Package site finds where a call stands in the app: the first frame of the stack that is the app's, behind those of
// the runtime, of the layers on package edt, and of the standard library.
package site
