// Package compare sets the results of two programs against each other: two documents of ocrbench, or several of each
// that two binaries gave in turn.
//
//	before, err := compare.Of("old.json", old) // a document that was read; an error is one line
//	after, err := compare.Of("new.json", new)
//	c := compare.Compare(before, after, compare.Options{Alpha: 0.05})
//	err = c.Write(os.Stdout)
//
// A result is compared with the one of the same name, unit by unit: medians with their 95 % intervals, and the
// Mann-Whitney U test of the samples, as benchstat does (golang.org/x/perf/benchmath). Of units that say the same thing
// (a time, and the rate that it makes) the first is compared.
//
// The p-values of all rows that are judged are corrected together, by Holm's method: the level is the chance that any
// of them is called a difference though there is none, however the rows depend on each other. Methods that allow some
// share of false differences (Benjamini-Hochberg) need rows that are independent, which those of one run are not. The
// price is samples: [Comparison.Notes] says how many it takes.
//
// The samples of a document are of one process at one time. If the machine gave the two processes different shares of
// its processors, nothing is judged: [Comparison.NotComparable] says why. [Alternate] runs two binaries in turn and
// takes the median of each run as one sample. The runs of a round are a pair, and the sign test asks whether one of a
// pair is the slower too often: what goes on beside both cancels out.
package compare
