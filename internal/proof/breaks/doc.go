// Package breaks shows that the explorations of ocr/internal/proof/explore, and random graphs over ranks, find what is
// wrong: its table has small edits of the protocols, each of which must be found. It changes no file: `go test
// -overlay` builds edited copies.
//
//	go test -tags explore ./internal/proof/breaks
package breaks
