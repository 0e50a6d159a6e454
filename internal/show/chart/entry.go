package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/show/report"
)

// An entry is a result of a document, with its name in parts.
type entry struct {
	*report.Result
	app   string
	words []string
	keys  report.Config
	short string // the name of its bar
}

func newEntry(d *report.Document, r *report.Result) entry {
	words, keys := r.Parts()
	return entry{Result: r, app: d.App, words: words, keys: keys}
}

// entries returns the results of a document. A result's name lacks a key that has its default value. If another name of
// the group has the key, the entry gets the key, with its number from a label or the configuration.
func entries(d *report.Document) (list []entry) {
	named := map[[2]string]bool{} // group and key
	for i := range d.Results {
		e := newEntry(d, &d.Results[i])
		for _, k := range e.keys {
			named[[2]string{e.group(), k.Key}] = true
		}
		list = append(list, e)
	}
	for i := range list {
		e := &list[i]
		for _, fact := range slices.Concat(e.Labels, d.Config) {
			value := report.Config{fact}.Text(fact.Key)
			if number(value) != nil && e.keys.Text(fact.Key) == "" && named[[2]string{e.group(), fact.Key}] {
				e.keys = e.keys.With(fact.Key, value)
			}
		}
		slices.SortStableFunc(e.keys, func(a, b report.Setting) int { return cmp.Compare(a.Key, b.Key) })
	}
	return list
}

// Title names what a result of a document measures: the app, and the test, row or type.
func Title(d *report.Document, r *report.Result) string { return newEntry(d, r).title() }

func (e entry) title() string { return strings.TrimSpace(e.app + " " + e.group()) }

// number returns the number that a text holds; nil if the text is no number, or the number is too large to draw.
func number(text string) *float64 {
	const largest = 1e100
	if v, err := strconv.ParseFloat(text, 64); err == nil && -largest <= v && v <= largest {
		return &v
	}
	return nil
}

// group names the measured operation: by label test, type or row, up to a slash; else by the first of several words.
func (e entry) group() string {
	group, _, _ := strings.Cut(cmp.Or(e.Labels.Text("test"), e.Labels.Text("type"), e.Labels.Text("row")), "/")
	if group == "" && len(e.words) > 1 {
		return e.words[0]
	}
	return group
}

// form returns the form of the result.
func (e entry) form() string {
	words := e.words
	if len(words) > 0 && words[0] == e.group() {
		words = words[1:]
	}
	return cmp.Or(e.Labels.Text("form"), strings.Join(words, " "))
}

// settings returns the keys of the name with their values, except one key.
func (e entry) settings(without string) (list []string) {
	for _, k := range e.keys {
		if k.Key != without {
			list = append(list, k.Key+"="+k.Value.(string))
		}
	}
	return list
}

// name returns the name of the result without one key.
func (e entry) name(without string) string {
	return strings.Join(slices.Concat(e.words, e.settings(without)), "/")
}

// differing returns, for each list of settings, those of its settings that not all lists have, joined by blanks.
func differing(lists [][]string) []string {
	count := map[string]int{}
	for _, list := range lists {
		for _, setting := range list {
			count[setting]++
		}
	}
	differ := make([]string, len(lists))
	for i, list := range lists {
		common := func(s string) bool { return s == "" || count[s] == len(lists) }
		differ[i] = strings.Join(slices.DeleteFunc(slices.Clone(list), common), " ")
	}
	return differ
}

// units returns the units of the result's curves: its first time or rate, and its bandwidth if it has one.
func (e entry) units() (units []string) {
	for _, m := range e.Metrics {
		if report.BetterOf(m.Unit) != report.Neither && (len(units) == 0 || strings.HasSuffix(m.Unit, "B/s")) {
			units = append(units, m.Unit)
		}
	}
	return units[:min(len(units), 2)]
}
