// Package report writes the results of one run of ocrbench.
//
// A [Document] is what the run found, with the configuration and the facts of machine and build that it depends on.
// [Document.Write] renders it: text for people, the Go benchmark format for benchstat, JSON with the schema ocrbench/1
// and CSV with one row a sample for programs. A document with a figure that is not finite, or with a time of zero, is
// an error and is not written in any format.
//
// The text of a suite is tables. [Tabulate] makes one of rows, by [Column]s: see [Words], [Cells] and [Figure].
package report
