// Package cli reads command lines: flag values that say what they allow, suggestions, and errors of one
// line that name what the user wrote.
//
// A [Value] reads the text of a flag, when the flag is set, into a Go value of its type: a list becomes a slice.
package cli
