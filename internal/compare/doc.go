// Package compare sets the results of two programs against each other: two documents of
// ocrbench, or several of each that two binaries gave in turn.
//
//	before, err := compare.Read("old.json") // errors are one line, about what is wrong with the file
//	after, err := compare.Read("new.json")
//	c := compare.Compare(before, after, compare.Options{Alpha: 0.05})
//	err = c.Write(os.Stdout)
//
// A result is compared with the one of the same name, unit by unit: medians with their 95 % intervals, and the
// Mann-Whitney U test of the samples, as benchstat does (golang.org/x/perf/benchmath). The unit says what is better.
// Of units that say the same thing (a time, and the rate that it makes) the first is compared. Nothing is averaged over
// results, and what differs between the two files besides the figures is listed.
//
// # Many comparisons
//
// The p-values of all rows that are judged are corrected together, by Holm's method: the level is the chance that any
// of them is called a difference though there is none. A gate needs just that, and Holm's holds whatever the rows have
// to do with each other. The rows of one run have much to do with each other, so methods that allow some share of false
// differences (Benjamini-Hochberg) promise less than they seem to. The price is samples: [Comparison.Notes] says how
// many it takes.
//
// # A noisy machine
//
// The samples of a document are of one process at one time. Documents record how busy the machine was, and if it gave
// the two processes different shares of its processors, nothing is judged: [Comparison.NotComparable] says why.
// [Alternate] runs two binaries in turn and takes the median of each run as one sample. The runs of a round are a pair,
// and the sign test asks whether one of a pair is the slower too often: what goes on beside both cancels out, and a
// pair between which the machine changed its pace counts no more than another.
package compare
