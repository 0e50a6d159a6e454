package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A share is how many of some mutants were killed.
type share struct{ killed, all int }

func (s share) percent() float64 { return 100 * float64(s.killed) / float64(max(1, s.all)) }

// writeTable writes one line a mutant, the survivors again, and the share killed of
// each package; it returns the share of all in percent.
func writeTable(w io.Writer, mutants []mutant, verdicts []verdict) float64 {
	var total share
	timeouts, packages := 0, make(map[*source]*share)
	var order []*source
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "#\tplace\tfunction\tkind\tchange\tkilled by")
	for k, m := range mutants {
		fmt.Fprintf(tab, "%d\t%s:%d\t%s\t%s\t%s\t%v\n", m.id, m.file.name, m.line, m.function, m.kind, m.what, verdicts[k])
		s := packages[m.src]
		if s == nil {
			s = new(share)
			packages[m.src], order = s, append(order, m.src)
		}
		for _, s := range []*share{s, &total} {
			s.all++
			if verdicts[k].outcome != survived {
				s.killed++
			}
		}
		if verdicts[k].outcome == byTime {
			timeouts++
		}
	}
	tab.Flush()
	fmt.Fprintln(w)
	for _, src := range order {
		s := packages[src]
		fmt.Fprintf(w, "%s: %d of %d killed, %.0f %%\n", src.name, s.killed, s.all, s.percent())
	}
	fmt.Fprintf(w, "all: %d of %d killed, %.0f %%, %d of them by timeout\n", total.killed, total.all, total.percent(), timeouts)
	return total.percent()
}
