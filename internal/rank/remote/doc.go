// Package remote has what the ranks of one run do with each other's objects: calls, names, finish scopes, blocks, and
// the end of the run. Package edt finds out whether an object is remote, and asks its [edt.Remote], which this
// package implements. README.md has the protocol.
//
// A host makes a [Part] for its rank, and gives [Part.Ranks] to the configuration of its graph.
package remote

import "ocr/edt"

var _ edt.Remote = (*Part)(nil)
