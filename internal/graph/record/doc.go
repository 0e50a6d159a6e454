// Package record has the words of the records that workers share: of events, EDTs, channels and finish scopes. Each is
// a type whose methods are the transitions of a protocol; the README tells the protocols. Above a method stands which
// worker may call it, what that worker may touch afterwards, and with which step of another worker it pairs, if the
// README does not say so.
//
// The transitions that common calls of package edt make are inlined. With -tags explore their accesses are steps of
// ocr/internal/proof/explore.
package record
