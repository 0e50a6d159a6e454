package c2c

import (
	"fmt"
	"slices"

	app "ocr/apps/c2c"
	"ocr/internal/show/matrix"
)

// group is what forms are set against each other in: one test of one pair.
type group struct {
	pair   matrix.Pair
	test   app.Test
	width  int
	length int
}

// key identifies a row.
type key struct {
	group
	form app.Form
}

// layout is a part of the names of results: each end of dual has a line of its own.
func (g group) layout() string {
	if g.test == app.Dual {
		return "separate"
	}
	return "same"
}

// name is that of a result.
func (k key) name() string {
	length := ""
	if k.test.HasLength() {
		length = fmt.Sprintf("/length=%d", k.length)
	}
	return fmt.Sprintf("%s/%s/%s/width=%d/layout=%s%s/cpus=%d,%d", Name, k.test, k.form, k.width, k.layout(), length,
		k.pair.From, k.pair.To)
}

// groups returns the groups of a pair, in the order in which they are measured.
func (c *Config) groups(p matrix.Pair) []group {
	var groups []group
	for _, test := range c.Tests {
		for _, width := range c.Widths {
			for _, length := range c.lengths(test) {
				groups = append(groups, group{p, test, width, length})
			}
		}
	}
	return groups
}

// turns puts groups together whose rows are compared with each other, and so take turns: those of one width and length.
// (More at a time would make a round last for longer than a state of the machine.)
func turns(groups []group) (all [][]group) {
	for _, g := range groups {
		at := slices.IndexFunc(all, func(t []group) bool { return t[0].width == g.width && t[0].length == g.length })
		if at < 0 {
			at, all = len(all), append(all, nil)
		}
		all[at] = append(all[at], g)
	}
	return all
}

// keys returns the rows of a group, without the form in C if withC is false.
func (c *Config) keys(g group, withC bool) []key {
	var keys []key
	for _, form := range c.Forms {
		if form != C || withC {
			keys = append(keys, key{g, form})
		}
	}
	return keys
}

// isGraph reports whether a form is a task graph.
func isGraph(form app.Form) bool { return form == app.Polled || form == app.EDT }
