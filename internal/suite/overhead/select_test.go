package overhead

import (
	"errors"
	"path"
	"strings"
	"testing"
)

func TestSelect(t *testing.T) {
	for _, tc := range []struct {
		patterns string
		full     bool
		want     string
	}{
		{"chain", false, "chain/plain chain/event"},
		{"chain/plain", false, "chain/plain"},
		{"chain/event chain/plain", false, "chain/plain chain/event"},
		{"*=16", false, "edt-create/slots=16 binary-tree/depth=16 memory/edt-spill/slots=16"},
		{"add-*triggered*", false, "add-dependence/from=triggered-event/to=edt"},
		{"fan-in/n=1000*", false, "fan-in/n=1000 fan-in/n=10000 fan-in/n=100000"},
		{"fan-in/n=1000*", true, "fan-in/n=1000 fan-in/n=10000 fan-in/n=100000 fan-in/n=1000000"},
		{"fan-in/n=1000000", false, "fan-in/n=1000000"},
		{"binary-tree/depth=1[06]", false, "binary-tree/depth=10 binary-tree/depth=16"},
		{"steal/gap=?", false, "steal/gap=0"},
	} {
		rows, err := Select(Rows(), strings.Fields(tc.patterns), tc.full)
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != tc.want {
			t.Errorf("%s, full %v: %s, error %v; want %s", tc.patterns, tc.full, got, err, tc.want)
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	for pattern, want := range map[string]error{"chains": ErrUnknown, "": ErrUnknown, "fan-[": path.ErrBadPattern, "[]a]": path.ErrBadPattern} {
		_, err := Select(Rows(), []string{"chain", pattern}, true)
		var bad *SelectError
		if !errors.Is(err, want) || !errors.As(err, &bad) || bad.Pattern != pattern {
			t.Errorf("pattern %q: error %v, want %v", pattern, err, want)
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
		if r.Section == "" || r.What == "" || r.MinWorkers < 1 || (r.measure == nil) == (r.footprint == nil) {
			t.Errorf("%s: %+v", r.Name, r)
		}
		for _, p := range r.Peers {
			if p.Name == "" || strings.ContainsAny(p.Name, " /=") || (p.footprint == nil) != (r.footprint == nil) {
				t.Errorf("%s: peer %+v", r.Name, p)
			}
		}
	}
	all, err := Select(Rows(), nil, true)
	some, err2 := Select(Rows(), nil, false)
	if err != nil || err2 != nil || len(all) != len(seen) || len(some) != len(seen)-2 {
		t.Errorf("%d rows in full, %d without, errors %v, %v; want %d and two less", len(all), len(some), err, err2, len(seen))
	}
}
