// Package site finds where a call stands in the app: the frame of a stack that is the app's, behind those of the
// runtime, of the layers on package edt, and of the standard library.
package site
