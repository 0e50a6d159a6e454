package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// writeFunctions writes what each function's own code costs an operation, the dearest
// first. What comes to nothing is left out: it ran once in the larger run.
func writeFunctions(w io.Writer, counts []*count) error {
	for _, n := range counts {
		fmt.Fprintf(w, "\n%s: %s\n", n.entry.name, n.entry.what)
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		names := slices.SortedFunc(maps.Keys(n.functions), func(a, b string) int {
			return cmp.Or(cmp.Compare(n.functions[b].instructions, n.functions[a].instructions), cmp.Compare(a, b))
		})
		for _, f := range names {
			c, note := n.functions[f], ""
			if c.instructions < 0.05 && c.locked < 0.005 && c.calls < 0.005 {
				continue
			}
			if !n.entry.counts(f) {
				note = "  (not in the sum)"
			}
			fmt.Fprintf(out, "%.1f\t%.2f\t%.2f\t  %s%s\n", c.instructions, c.locked, c.calls, f, note)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}
