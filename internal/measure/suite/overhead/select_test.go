package overhead

import (
	"slices"
	"strings"
	"testing"

	"ocr/apps/trial"
)

func TestSelect(t *testing.T) {
	for patterns, want := range map[string]string{
		"chain":                   "chain/plain, chain/event",
		"chain/plain":             "chain/plain",
		"chain chain/plain":       "chain/plain, chain/event",
		"chain/event chain/plain": "chain/plain, chain/event",
		"edt-create":              "edt-create/slots=4",
		"wavefront/recorded":      "wavefront/recorded/n=100",
		"satisfy":                 "satisfy/waiters=0, satisfy/waiters=1, satisfy/waiters=8",
	} {
		rows, unknown := Select(strings.Fields(patterns))
		if got := trial.Names(rows); unknown != "" || got != want {
			t.Errorf("%s: %s, unknown %q; want %s", patterns, got, unknown, want)
		}
	}
	for _, pattern := range []string{"chains", "nosuch", "", "chain/", "fan-*"} {
		if rows, unknown := Select([]string{"chain", pattern}); rows != nil || unknown != pattern {
			t.Errorf("pattern %q: %d rows, unknown %q", pattern, len(rows), unknown)
		}
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows() {
		if seen[r.Name] || strings.ContainsAny(r.Name, " \t*?[") || r.Section == "" || r.What == "" {
			t.Errorf("%+v: its name is used twice or has blanks or wildcards, or it says nothing", *r)
		}
		seen[r.Name] = true
		for k, f := range r.Forms {
			if (f.Name == "") != (k == 0) || strings.ContainsAny(f.Name, " /=") || (f.Once == nil) != (f.Library != nil) {
				t.Errorf("%s: form %+v", r.Name, f)
			}
			if words := strings.Fields(f.Does); f.Library != nil && (len(words) != 3 || r.Forms[0].Does == "") {
				t.Errorf("%s, which does %q: %s does %q", r.Name, r.Forms[0].Does, f.Name, f.Does)
			}
		}
	}
	wave := slices.IndexFunc(Rows(), func(r *Row) bool { return r.Name == "wavefront/recorded/n=100" })
	if like := Rows()[wave].Forms[1]; like.Does != builtOnce {
		t.Errorf("beside a recorded graph stands first %s: %s", like.Name, like.Does)
	}
	if all, _ := Select(nil); len(all) != len(seen) {
		t.Errorf("%d rows without a pattern, want %d", len(all), len(seen))
	}
}
