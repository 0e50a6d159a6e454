// Package compare compares the results of two programs: two documents of ocrbench, or several documents of each of two
// binaries that ran in turn.
//
//	before, err := compare.Of(old) // a document that was read; an error is one line
//	after, err := compare.Of(new)
//	c := compare.Compare(before, after, compare.Options{Alpha: 0.05})
//	err = c.Write(os.Stdout)
//
// A result is compared with the one of the same name, unit by unit. The rule of decision for such a row, in order:
//
//  1. A row of plain Go, C or another library is "peer", a row whose unit has no better direction is "count". A row
//     whose samples are all the same is "~". None of these is judged.
//  2. If the machine gave the two processes different shares of its processors, or one ran in check mode, all remaining
//     rows are "?": [Comparison.NotComparable] says why.
//  3. A row has a p-value. For two files it is that of the Mann-Whitney U test of the samples, as benchstat has it
//     (golang.org/x/perf/benchmath), but the same in either order of the files. [Alternate] runs two binaries in turn
//     and takes the median of each run as one sample. The runs of a round are a pair, and the sign test asks whether
//     the same binary is the slower of a pair too often. Other load affects both runs of a pair, and cancels out: so of
//     point 2 only check mode applies.
//  4. The p-values of all rows that are judged are corrected together, by Holm's method: the level is the chance that
//     any of them is called a difference though there is none, however the rows depend on each other. Methods that
//     allow some share of false differences (Benjamini-Hochberg) need independent rows, but the rows of one run depend
//     on each other. Holm's method needs more samples: [Comparison.Notes] says how many.
//  5. A row whose corrected p-value is below the level differs: it is "faster" or "slower", and a regression if it
//     changed for the worse by more than [Options.FailOver]. But it is "?" if the medians moved not at all, or in one
//     direction and most pairs of an old and a new sample in the opposite one: samples have two states.
//  6. Any other row is "~". But if [Options.FailOver] is positive, an unpaired row is "?" when the interval of a median
//     reaches further than FailOver, or when a file has one sample: the row may hide a regression.
//
// Of units that restate each other (a time, and the rate computed from it) only the first is compared.
package compare
