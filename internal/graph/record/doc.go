// Package record has the words that workers share in the records of events, EDTs, channels and finish scopes. Each word
// is a type whose methods are the transitions of a protocol, which the README describes. If the README does not say so,
// the comment of a method says which worker may call it, what that worker may touch afterwards, and with which step of
// another worker it pairs.
//
// The transitions that common calls of package edt make are inlined. With -tags explore their accesses are steps of
// ocr/internal/proof/explore.
package record
