package pgas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/pgas"
	"ocr/internal/core/sizes"
	"ocr/internal/show/report"
)

// key is what is measured: a test in a form, at a size, with the settings that the test has. No two rows have the same.
type key struct {
	test   string
	form   app.Form
	bytes  int
	sync   app.Sync // empty of tests that do not synchronise
	stride int      // 1 of tests that have none
}

// Sizes and strides unless others are asked for: one of each level of a cache, about.
var (
	fewLatency    = []int{8}
	fewBandwidth  = []int{8, 4 << 10, 64 << 10, 4 << 20}
	fewReductions = []int{8, 64 << 10, 4 << 20}
	fewStrides    = []int{1, 8}
)

func (c *Config) sizesOf(t app.Test) []int {
	switch {
	case len(c.Sizes) > 0:
		return c.Sizes
	case t.Uses.Stride:
		return t.Sizes()
	case t.Kind == app.Latency:
		return fewLatency
	case t.Kind == app.Reduction:
		return fewReductions
	}
	return fewBandwidth
}

func (c *Config) stridesOf(t app.Test) []int {
	switch {
	case !t.Uses.Stride:
		return []int{1}
	case len(c.Strides) > 0:
		return c.Strides
	}
	return fewStrides
}

// keys returns what a test is run with, sizes in ascending order. An EDT does not poll for a flag, and a flag is a
// message's last word.
func (c *Config) keys(t app.Test) (all []key) {
	syncs := t.Uses.Syncs
	if len(syncs) == 0 {
		syncs = []app.Sync{""}
	}
	for _, bytes := range c.sizesOf(t) {
		for _, stride := range c.stridesOf(t) {
			for _, sync := range syncs {
				for _, form := range c.Forms {
					if sync != app.Flag || form == app.Direct && (bytes == 4 || bytes%8 == 0) {
						all = append(all, key{t.Name, form, bytes, sync, stride})
					}
				}
			}
		}
	}
	return all
}

// in returns a key in a form.
func (k key) in(form app.Form) key {
	k.form = form
	return k
}

// about returns the test of a key.
func (k key) about() app.Test {
	t, _ := app.Lookup(k.test)
	return t
}

// assigned are the settings as parts of a name.
func (k key) assigned() (words []string) {
	if k.sync != "" {
		words = append(words, "sync="+string(k.sync))
	}
	if k.stride > 1 {
		words = append(words, fmt.Sprintf("stride=%d", k.stride))
	}
	return words
}

// size returns the bytes as a word.
func (k key) size() string { return sizes.Format(k.bytes) }

// String names a key in a line of text.
func (k key) String() string {
	return strings.Join(append([]string{k.test, string(k.form), k.size()}, k.assigned()...), " ")
}

// operation names what ns/op is the time of.
func operation(t app.Test) string {
	switch {
	case t.RoundTrip:
		return "round trip"
	case t.Kind == app.Reduction:
		return "reduction"
	}
	return "transfer"
}

// labels returns the facts of a key for programs. Only settings that the test has are among them.
func (k key) labels() report.Config {
	t := k.about()
	list := report.Settings("test", t.Name, "form", string(k.form), "op", operation(t), "bytes", k.bytes)
	if k.sync != "" {
		list = list.With("sync", string(k.sync))
	}
	if t.Uses.Stride {
		list = list.With("stride", k.stride)
	}
	return list
}

// class is a table of the results.
type class int

const (
	latency class = iota
	bandwidth
	strided
	reduction
)

func classOf(t app.Test) class {
	switch {
	case t.Kind == app.Latency:
		return latency
	case t.Kind == app.Reduction:
		return reduction
	case t.Uses.Stride:
		return strided
	}
	return bandwidth
}

// turn is when a key is measured: the keys of one turn are a group, and take samples in turn.
type turn struct {
	class         class
	bytes, stride int
}

func turnOf(k key) turn { return turn{classOf(k.about()), k.bytes, k.stride} }

// grouped puts keys into groups, latencies first and small sizes first.
func grouped(keys []key) (groups [][]key) {
	slices.SortStableFunc(keys, func(a, b key) int {
		t, u := turnOf(a), turnOf(b)
		return cmp.Or(cmp.Compare(t.class, u.class), cmp.Compare(t.bytes, u.bytes), cmp.Compare(t.stride, u.stride))
	})
	for i, k := range keys {
		if i == 0 || turnOf(k) != turnOf(keys[i-1]) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], k)
	}
	return groups
}
