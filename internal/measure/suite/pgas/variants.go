package pgas

import (
	"slices"

	app "ocr/apps/pgas"
)

// Sizes and strides unless others are asked for: one of each level of a cache, about.
var (
	fewLatency    = []int{8}
	fewBandwidth  = []int{8, 4 << 10, 64 << 10, 4 << 20}
	fewReductions = []int{8, 64 << 10, 4 << 20}
	fewStrides    = []int{1, 8}
)

// The values of settings that every run varies, the suite's first.
var (
	completions = []app.Completion{app.Remote, app.Local}
	modes       = []Mode{Hot, Stream}
	sides       = []app.Side{app.AtTarget, app.AtOrigin, app.AtBoth} // whose elements lie a stride apart
)

// sizesOf returns the sizes that a test is run with.
func (c *Config) sizesOf(t app.Test) []int {
	switch {
	case c.Compat && len(c.Sizes) == 0 && t.Kind == app.Latency:
		return []int{app.DefaultBytes}
	case len(c.Sizes) == 0 && (t.Uses.Stride || c.Full):
		return t.Sizes()
	case len(c.Sizes) > 0:
		return c.Sizes
	case t.Kind == app.Latency:
		return fewLatency
	case t.Kind == app.Reduction:
		return fewReductions
	}
	return fewBandwidth
}

func (c *Config) stridesOf(t app.Test) []int {
	switch {
	case len(c.Strides) > 0:
		return c.Strides
	case c.Full:
		return t.Strides()
	}
	return fewStrides
}

// An axis is the values of one setting, each as what sets it.
type axis []func(*key)

func axisOf[T any](values []T, set func(*key, T)) axis {
	var a axis
	for _, value := range values {
		a = append(a, func(k *key) { set(k, value) })
	}
	return a
}

// crossed returns the keys with every combination of the settings of some axes.
func crossed(keys []key, axes ...axis) []key {
	for _, a := range axes {
		var more []key
		for _, k := range keys {
			for _, set := range a {
				other := k
				set(&other)
				more = append(more, other)
			}
		}
		keys = more
	}
	return keys
}

// oneAtATime returns, for each key, that with the first value of every axis, and then each further value by itself.
func oneAtATime(keys []key, axes ...axis) []key {
	var all []key
	for _, k := range keys {
		for _, a := range axes {
			a[0](&k)
		}
		all = append(all, k)
		for _, a := range axes {
			all = append(all, crossed([]key{k}, a[1:])...)
		}
	}
	return all
}

// keys returns what a test is run with, sizes in ascending order.
func (c *Config) keys(t app.Test) []key {
	u := t.Uses
	list := crossed([]key{plain(t.Name, 0)}, axisOf(c.sizesOf(t), func(k *key, n int) { k.bytes = n }))
	if len(u.Syncs) > 0 {
		syncs := slices.DeleteFunc(slices.Clone(c.Syncs), func(s app.Sync) bool { return !slices.Contains(u.Syncs, s) })
		list = crossed(list, axisOf(syncs, func(k *key, s app.Sync) { k.sync = s }))
	}
	if u.Stride {
		list = crossed(list,
			axisOf(c.stridesOf(t), func(k *key, n int) { k.stride = n }),
			axisOf(sides, func(k *key, s app.Side) { k.strided = s }))
	}
	var axes []axis
	if u.Window {
		axes = append(axes, axisOf(c.Windows, func(k *key, n int) { k.window = n }))
	}
	if u.Window && !c.Compat {
		axes = append(axes, axisOf(completions, func(k *key, by app.Completion) { k.completion = by }))
	}
	if u.Stream && !c.Compat {
		axes = append(axes, axisOf(modes, func(k *key, m Mode) { k.mode = m }))
	}
	if c.Full {
		list = crossed(list, axes...)
	} else {
		list = oneAtATime(list, axes...)
	}
	list = crossed(list, axisOf(c.Forms, func(k *key, f app.Form) { k.form = f }))
	return slices.DeleteFunc(list, key.again)
}

// again reports whether a key would measure what another does: whose elements are a stride of 1 apart means nothing;
// and in the edt form what follows a put runs once it is complete at the target, whatever completion asks for.
func (k key) again() bool {
	return k.stride == 1 && k.strided != sides[0] || k.form == app.EDT && k.completion != completions[0]
}
