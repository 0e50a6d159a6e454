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
	layout app.Layout
	length int
	apart  bool // the ends are in two processes
}

// key identifies a row.
type key struct {
	group
	form app.Form
}

// name is that of a result.
func (k key) name() string {
	length := ""
	if k.test.HasLength() {
		length = fmt.Sprintf("/length=%d", k.length)
	}
	name := fmt.Sprintf("%s/%s/%s/width=%d/layout=%s%s/cpus=%d,%d", Name, k.test, k.form, k.width, k.layout, length,
		k.pair.From, k.pair.To)
	if k.apart {
		name += "/ranks=2"
	}
	return name
}

// together is the same between threads.
func (g group) together() group {
	g.apart = false
	return g
}

// groups returns the groups of a pair, in the order in which they are measured.
func (c *Config) groups(p pair) []group {
	var groups []group
	for _, test := range c.Tests {
		if p.reversed && !directed(test) {
			continue
		}
		for _, width := range c.Widths {
			for _, length := range c.lengths(test) {
				for _, layout := range c.layouts(test) {
					groups = append(groups, group{pair: p.Pair, test: test, width: width, layout: layout, length: length})
				}
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

// layouts returns where the elements of a test lie. Only those of dual can be laid out in two ways; a single element
// shares a line with itself, and whatever else two ends write is apart.
func (c *Config) layouts(test app.Test) []app.Layout {
	switch {
	case test.HasLayout():
		return c.Layouts
	case test == app.Single || test == app.Array:
		return []app.Layout{app.Same}
	}
	return []app.Layout{app.Separate}
}

// keys returns the rows of a group, those between processes behind those between threads, without the form in C if
// withC is false. EDTs pass blocks on, and two blocks never share a line: of a test in both layouts they are in the
// separate one.
func (c *Config) keys(g group, withC bool) []key {
	var keys []key
	for _, form := range c.forms() {
		own := g
		switch {
		case form == C && !withC, form != C && !form.Has(g.test):
			continue
		case ofEDTs(form) && g.test.HasLayout():
			own.layout = app.Separate
			if g.layout != own.layout && slices.Contains(c.Layouts, own.layout) {
				continue
			}
		}
		keys = append(keys, key{own, form})
		if c.Ranks > 1 && c.crosses(form) {
			own.apart = true
			keys = append(keys, key{own, form})
		}
	}
	return keys
}

// ofEDTs reports whether a form passes transfers on from EDT to EDT.
func ofEDTs(form app.Form) bool { return form != C && form.Tasks() }

// isGraph reports whether a form is a task graph.
func isGraph(form app.Form) bool { return form != C && form != app.Goroutines }

// crosses reports whether a form is run between two processes. Those that poll need a block that both have in place,
// and that whose times go from one end to the other a clock in common, which two machines have not.
func (c *Config) crosses(form app.Form) bool {
	if c.lent && (!ofEDTs(form) || form == app.Parked) {
		return false
	}
	return isGraph(form) && form != app.Local
}
