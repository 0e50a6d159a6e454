// Package cli reads command lines: flag values that say what they allow, suggestions, and errors of one
// line that name what the user wrote.
//
// A [Value] is read once, as its flag is set, into a Go value of its type: a list flag becomes a slice.
package cli
