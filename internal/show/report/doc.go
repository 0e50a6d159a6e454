// Package report writes the results of one run of ocrbench.
//
// A [Document] has the results of the run, and the configuration and the facts of machine and build on which they
// depend. [Document.Write] renders it: text for people, the Go benchmark format for benchstat, JSON with the schema
// ocrbench/1 and CSV with one row a sample for programs. It refuses, in every format, a document with a figure that is
// not finite, or with a time of zero.
//
// The text of a suite is tables. [Tabulate] makes one from rows and [Column]s: see [Words], [Cells] and [Figure].
package report
