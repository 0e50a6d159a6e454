package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	pgasapp "ocr/apps/pgas"
	"ocr/apps/shmem"
)

// pgasVariant is what both forms of a test are set against each other in. Settings
// that the test does not have are as by default.
type pgasVariant struct {
	test       string
	bytes      int
	sync       pgasapp.Sync
	window     int
	completion pgasapp.Completion
	stream     bool
	stride     int
	strided    pgasapp.Side
	element    shmem.Element
	beside     string // of a baseline that is in several groups: which, but for its home
}

// pgasKey tells rows apart.
type pgasKey struct {
	pgasVariant
	form pgasapp.Form
}

// Default sizes and strides: one of each level of a cache, about.
var (
	quickLatency    = []int{8}
	quickBandwidth  = []int{8, 4 << 10, 64 << 10, 4 << 20}
	quickReductions = []int{8, 64 << 10, 4 << 20}
	quickStrides    = []int{1, 8}
)

// pgasQuickList tells the default sizes in the help text.
func pgasQuickList() string {
	tell := func(sizes []int) string {
		var told []string
		for _, n := range sizes {
			told = append(told, formatBytes(n))
		}
		return strings.Join(told, ",")
	}
	return fmt.Sprintf("latency %s; bandwidth %s; reductions %s; strided 128KiB at %s",
		tell(quickLatency), tell(quickBandwidth), tell(quickReductions), tell(quickStrides))
}

// plainVariant returns the suite's settings of a test.
func plainVariant(test string, bytes int) pgasVariant {
	c := pgasapp.Defaults(test)
	return pgasVariant{
		test: test, bytes: bytes, sync: c.Sync, window: c.Window, completion: c.Completion,
		stride: c.Stride, strided: c.Strided, element: c.Type,
	}
}

// sizeList returns the sizes that a test is run with.
func (f *pgasFlags) sizeList(t pgasapp.Test) []int {
	given, ok := parseSizes(f.sizes)
	switch {
	case f.compat && f.sizes == "" && t.Kind == pgasapp.Latency && t.Uses.Bytes:
		return []int{pgasapp.DefaultBytes}
	case !t.Uses.Bytes || t.Uses.Stride && f.sizes == "" || f.full && f.sizes == "":
		return t.Sizes
	case ok:
		return given
	case t.Kind == pgasapp.Latency:
		return quickLatency
	case t.Kind == pgasapp.Reduction:
		return quickReductions
	}
	return quickBandwidth
}

func (f *pgasFlags) strideList(t pgasapp.Test) []int {
	given, ok := parseStrides(f.strides)
	switch {
	case ok:
		return given
	case f.full:
		return t.Strides
	}
	return quickStrides
}

// An axis is the values of one setting, each as what sets it.
type pgasAxis []func(*pgasVariant)

func axisOf[T any](values []T, set func(*pgasVariant, T)) pgasAxis {
	var axis pgasAxis
	for _, value := range values {
		axis = append(axis, func(v *pgasVariant) { set(v, value) })
	}
	return axis
}

// crossed returns the variants with every combination of the settings of some axes.
func crossed(variants []pgasVariant, axes ...pgasAxis) []pgasVariant {
	for _, axis := range axes {
		var more []pgasVariant
		for _, v := range variants {
			for _, set := range axis {
				w := v
				set(&w)
				more = append(more, w)
			}
		}
		variants = more
	}
	return variants
}

// oneAtATime returns, for each variant, that with the first value of every axis, and then
// each further value by itself.
func oneAtATime(variants []pgasVariant, axes ...pgasAxis) []pgasVariant {
	var all []pgasVariant
	for _, v := range variants {
		for _, axis := range axes {
			axis[0](&v)
		}
		all = append(all, v)
		for _, axis := range axes {
			all = append(all, crossed([]pgasVariant{v}, axis[1:])...)
		}
	}
	return all
}

// variants returns what a test is run with, sizes in ascending order.
func (f *pgasFlags) variants(t pgasapp.Test) []pgasVariant {
	u := t.Uses
	list := crossed([]pgasVariant{plainVariant(t.Name, 0)},
		axisOf(f.sizeList(t), func(v *pgasVariant, n int) { v.bytes = n }))
	if len(u.Syncs) > 0 {
		syncs := slices.DeleteFunc(chosen(f.syncs, pgasSyncs()), func(s pgasapp.Sync) bool { return !slices.Contains(u.Syncs, s) })
		list = crossed(list, axisOf(syncs, func(v *pgasVariant, s pgasapp.Sync) { v.sync = s }))
	}
	if u.Stride {
		list = crossed(list,
			axisOf(f.strideList(t), func(v *pgasVariant, n int) { v.stride = n }),
			axisOf(chosen(f.sides, pgasSides()), func(v *pgasVariant, s pgasapp.Side) { v.strided = s }))
		list = contiguousOnce(list)
	}
	if u.Type {
		list = crossed(list, axisOf(chosen(f.types, shmem.Elements), func(v *pgasVariant, e shmem.Element) { v.element = e }))
	}
	return f.combine(list, f.transferAxes(u))
}

// transferAxes returns the settings of bandwidth tests.
func (f *pgasFlags) transferAxes(u pgasapp.Uses) []pgasAxis {
	var axes []pgasAxis
	if u.Window {
		axes = append(axes,
			axisOf(chosen(f.windows, pgasWindows()), func(v *pgasVariant, n int) { v.window = n }),
			axisOf(chosen(f.completions, pgasCompletions()), func(v *pgasVariant, c pgasapp.Completion) { v.completion = c }))
	}
	if u.Stream {
		axes = append(axes, axisOf(chosen(f.modes, pgasModes()), func(v *pgasVariant, mode string) { v.stream = mode == modeStream }))
	}
	return axes
}

func (f *pgasFlags) combine(list []pgasVariant, axes []pgasAxis) []pgasVariant {
	if f.full {
		return crossed(list, axes...)
	}
	return oneAtATime(list, axes...)
}

// contiguousOnce keeps one variant of those at stride 1: whose elements they are a stride
// apart means nothing then.
func contiguousOnce(list []pgasVariant) []pgasVariant {
	seen := map[int]bool{}
	return slices.DeleteFunc(list, func(v pgasVariant) bool {
		again := v.stride == 1 && seen[v.bytes]
		seen[v.bytes] = seen[v.bytes] || v.stride == 1
		return again
	})
}

// pgasGroup is rows that take turns: those that share a kind, a size and a stride.
type pgasGroup struct {
	pgasTurn
	keys []pgasKey
}

type pgasTurn struct {
	class         pgasClass
	bytes, stride int
}

// pgasClass is a table of the results.
type pgasClass int

const (
	latencyClass pgasClass = iota
	bandwidthClass
	stridedClass
	reductionClass
)

func classOf(t pgasapp.Test) pgasClass {
	switch {
	case t.Kind == pgasapp.Latency:
		return latencyClass
	case t.Kind == pgasapp.Reduction:
		return reductionClass
	case t.Uses.Stride:
		return stridedClass
	}
	return bandwidthClass
}

// grouped puts rows into groups. Those that have no size join the group of 8 bytes, the
// least that a word is, or the first of their class; the line baseline is in each group of
// latencies and reductions.
func grouped(keys []pgasKey) []*pgasGroup {
	var groups []*pgasGroup
	var sizeless []pgasKey
	add := func(turn pgasTurn, k pgasKey) {
		i := slices.IndexFunc(groups, func(g *pgasGroup) bool { return g.pgasTurn == turn })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &pgasGroup{pgasTurn: turn})
		}
		groups[i].keys = append(groups[i].keys, k)
	}
	for _, k := range keys {
		if k.bytes == 0 {
			sizeless = append(sizeless, k)
			continue
		}
		t, _ := pgasapp.Lookup(k.test)
		add(pgasTurn{classOf(t), k.bytes, k.stride}, k)
	}
	inOrder := func(a, b *pgasGroup) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.stride, b.stride))
	}
	slices.SortStableFunc(groups, inOrder)
	home := homeOf(groups, sizeless)
	for _, k := range sizeless {
		add(home, k)
		if k.test == baseLine {
			lineBeside(groups, home, k)
		}
	}
	slices.SortStableFunc(groups, inOrder)
	return groups
}

// homeOf returns the group of rows that have no size. The line baseline joins a reduction
// where that is all there is.
func homeOf(groups []*pgasGroup, sizeless []pgasKey) pgasTurn {
	home := pgasTurn{latencyClass, 8, 1}
	class := latencyClass
	if !slices.ContainsFunc(sizeless, func(k pgasKey) bool { return k.test != baseLine }) &&
		!slices.ContainsFunc(groups, func(g *pgasGroup) bool { return g.class == latencyClass }) {
		class = reductionClass
	}
	i := slices.IndexFunc(groups, func(g *pgasGroup) bool { return g.class == class })
	if i < 0 || slices.ContainsFunc(groups, func(g *pgasGroup) bool { return g.pgasTurn == home }) {
		return home
	}
	return groups[i].pgasTurn
}

// lineBeside puts the line baseline into each group of latencies and reductions, beside
// its home.
func lineBeside(groups []*pgasGroup, home pgasTurn, k pgasKey) {
	for _, g := range groups {
		if g.pgasTurn != home && (g.class == latencyClass || g.class == reductionClass) {
			k.beside = besideOf(g.class, g.bytes)
			g.keys = append(g.keys, k)
		}
	}
}

// besideOf names a group.
func besideOf(class pgasClass, bytes int) string {
	word := "latency"
	if class == reductionClass {
		word = "reduction"
	}
	return fmt.Sprintf("%s-%d", word, bytes)
}
