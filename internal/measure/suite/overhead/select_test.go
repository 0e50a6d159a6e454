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
		"chain/event chain/plain": "chain/plain, chain/event",
		"*=16":                    "edt-create/slots=16, binary-tree/depth=16",
		"add-*triggered*":         "add-dependence/from=triggered-event/to=edt",
		"fan-in/n=1000*":          "fan-in/n=1000, fan-in/n=10000, fan-in/n=100000",
		"binary-tree/depth=1[06]": "binary-tree/depth=10, binary-tree/depth=16",
		"steal/gap=?":             "steal/gap=0",
	} {
		rows, err := Select(strings.Fields(patterns))
		if got := trial.Names(rows); err != nil || got != want {
			t.Errorf("%s: %s, error %v; want %s", patterns, got, err, want)
		}
	}
	for pattern, want := range map[string]string{
		"chains": "unknown row chains: did you mean chain?", "nosuch": "unknown row nosuch: must be one of ",
		"": `unknown row "": `, "fan-[": "row fan-[: is not a pattern", "[]a]": "row []a]: is not a pattern",
	} {
		if _, err := Select([]string{"chain", pattern}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("pattern %q: error %v, want %s", pattern, err, want)
		}
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows() {
		if seen[r.Name] || r.Name == "" || strings.ContainsAny(r.Name, " \t*?[") {
			t.Errorf("name %q: empty, used twice, or with blanks or wildcards", r.Name)
		}
		seen[r.Name] = true
		if r.Section == "" || r.What == "" || r.MinWorkers < 1 || r.measure == nil {
			t.Errorf("%s: %+v", r.Name, *r)
		}
		for _, p := range r.Peers {
			if p.Name == "" || strings.ContainsAny(p.Name, " /=") || p.measure == nil {
				t.Errorf("%s: peer %+v", r.Name, p)
			}
			if words := strings.Fields(p.Does); p.Library != nil && (len(words) != 3 || r.Does == "") {
				t.Errorf("%s, which does %q: peer %s does %q", r.Name, r.Does, p.Name, p.Does)
			}
		}
	}
	wave := slices.IndexFunc(Rows(), func(r *Row) bool { return r.Name == "wavefront/recorded/n=100" })
	if like := Rows()[wave].Peers[0]; like.Does != builtOnce {
		t.Errorf("beside a recorded graph stands first %s: %s", like.Name, like.Does)
	}
	if all, err := Select(nil); err != nil || len(all) != len(seen) {
		t.Errorf("%d rows without a pattern, error %v; want %d", len(all), err, len(seen))
	}
}
