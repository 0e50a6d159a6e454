// Package compare sets two saved result files against each other: the JSON
// documents that ocrbench writes, Go benchmark text, or one of each.
//
//	before, err := compare.Read("old.json") // errors are one line, about what is wrong with the file
//	after, err := compare.Read("new.txt")
//	c := compare.Compare(before, after, compare.Options{Alpha: 0.05})
//	err = c.Write(os.Stdout, "text")
//
// A result is compared with the one of the same name, unit by unit: medians with
// their 95 % intervals, and the Mann-Whitney U test of the samples, as benchstat
// does (golang.org/x/perf/benchmath). The unit tells what is better. Nothing is
// averaged over results, and what differs between the two files besides the
// figures (machine, build, configuration, how they came about) is listed.
package compare
