package pgas

import (
	"fmt"
	"strings"

	app "ocr/apps/pgas"
	"ocr/internal/core/sizes"
	"ocr/internal/show/report"
)

// key is what is measured: a test in a form, at a size, with settings. Settings that the
// test does not have are the suite's. No two rows have the same key.
type key struct {
	test       string
	form       app.Form
	bytes      int
	sync       app.Sync
	window     int
	completion app.Completion
	mode       Mode
	stride     int
	strided    app.Side
}

// plain returns a test with the suite's settings, in the direct form.
func plain(test string, bytes int) key {
	c := app.Defaults(test)
	return key{
		test: test, form: c.Form, bytes: bytes, sync: c.Sync, window: c.Window, completion: c.Completion, mode: Hot,
		stride: c.Stride, strided: c.Strided,
	}
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

// fields are what a result is named and labelled by, beside test, form and size.
var fields = []struct {
	name string
	has  func(app.Uses) bool
	of   func(key) any
}{
	{"sync", func(u app.Uses) bool { return len(u.Syncs) > 0 }, func(k key) any { return string(k.sync) }},
	{"window", func(u app.Uses) bool { return u.Window }, func(k key) any { return k.window }},
	{"completion", func(u app.Uses) bool { return u.Window }, func(k key) any { return string(k.completion) }},
	{"mode", func(u app.Uses) bool { return u.Stream }, func(k key) any { return string(k.mode) }},
	{"stride", func(u app.Uses) bool { return u.Stride }, func(k key) any { return k.stride }},
	{"strided", func(u app.Uses) bool { return u.Stride }, func(k key) any { return string(k.strided) }},
}

// settings returns what differs from the suite's settings.
func (k key) settings() report.Config {
	usual := plain(k.test, k.bytes)
	var list report.Config
	for _, f := range fields {
		if v := f.of(k); v != f.of(usual) {
			list = list.With(f.name, v)
		}
	}
	return list
}

func (k key) assigned() []string {
	var words []string
	for _, s := range k.settings() {
		words = append(words, fmt.Sprint(s.Key, "=", s.Value))
	}
	return words
}

// size returns the bytes as a word.
func (k key) size() string { return sizes.Format(k.bytes) }

// String names a key in a line of text.
func (k key) String() string {
	words := []string{k.test, string(k.form), k.size()}
	return strings.Join(append(words, k.assigned()...), " ")
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
	for _, f := range fields {
		v := f.of(k)
		if f.name == "completion" && k.form == app.EDT {
			v = "either" // both are one
		}
		if f.has(t.Uses) {
			list = list.With(f.name, v)
		}
	}
	return list
}
