package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/proof/testrun"
)

var exampleTable = &table{
	measured: "go1.26.8 linux/amd64, valgrind-3.19.0",
	counts: []*count{
		{"chain", cost{1131.7, 2, 0}, nil},
		{"sweep", cost{2683.5, 7.77, 0.01}, nil},
	},
}

func TestTableRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "go1.26.txt")
	testrun.OK(t, os.WriteFile(file, []byte(exampleTable.String()), 0o644))
	got, err := load(file)
	testrun.OK(t, err)
	if diff := cmp.Diff(exampleTable, got, cmp.AllowUnexported(table{}, count{}, cost{})); diff != "" {
		t.Error(diff)
	}
}

// TestCommittedTables: every committed table has every entry, in order.
func TestCommittedTables(t *testing.T) {
	files, err := filepath.Glob("go1.*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no table: %v", err)
	}
	for _, file := range files {
		got, err := load(file)
		testrun.OK(t, err)
		var names, want []string
		for _, f := range got.counts {
			names = append(names, f.name)
			if f.instructions < 50 {
				t.Errorf("%s: %s has %v instructions", file, f.name, f.instructions)
			}
		}
		for _, e := range entries {
			want = append(want, e.name)
		}
		testrun.Same(t, want, names, "%s", file)
		if version, _, _ := strings.Cut(got.measured, " "); tableFile(version) != "cmd/opcount/"+file {
			t.Errorf("%s was measured with %s", file, got.measured)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, text := range []string{"chain 1 2\n", "chain 1 2 3 4\n", "chain 1 x 3\n"} {
		file := filepath.Join(t.TempDir(), "go1.26.txt")
		testrun.OK(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := load(file)
		testrun.Fails(t, err, "is no row: want a name and three numbers", "%s", text)
	}
}

func TestCompare(t *testing.T) {
	same := exampleTable
	changed := func(name string, c cost) *table {
		now := &table{measured: same.measured}
		for _, f := range same.counts {
			changed := *f
			if f.name == name {
				changed.cost = c
			}
			now.counts = append(now.counts, &changed)
		}
		return now
	}
	chain := cost{1131.7, 2, 0}
	for name, tc := range map[string]struct {
		now  *table
		want []string
	}{
		"the same": {same, nil},
		"2 % more": {changed("chain", cost{1154, 2, 0}), nil},
		"more than that": {changed("chain", cost{1154.7, 2, 0}),
			[]string{"chain: instructions grew from 1131.7 to 1154.7 (+23.0)"}},
		"2 % less": {changed("chain", cost{1110, 2, 0}), nil},
		"less than that": {changed("chain", cost{1100, 2, 0}),
			[]string{"chain: instructions shrank from 1131.7 to 1100.0 (-31.7)"}},
		"a locked one": {changed("chain", cost{1132.7, 3, 0}),
			[]string{"chain: locked operations grew from 2.0 to 3.0 (+1.0)"}},
		"for every fifth": {changed("chain", cost{1131.7, 2.2, 0}),
			[]string{"chain: locked operations grew from 2.0 to 2.2 (+0.2)"}},
		"a call": {changed("chain", cost{1131.7, 2, 1}),
			[]string{"chain: calls of Go's functions grew from 0.0 to 1.0 (+1.0)"}},
		"noise": {changed("chain", chain.plus(cost{2.9, 0.04, 0.02})), nil},
		"an entry too many": {&table{counts: append([]*count{{"new", chain, nil}}, same.counts...)},
			[]string{"new is not in the table"}},
		"one too few": {&table{counts: same.counts[:1]},
			[]string{"sweep is in the table, but is not counted any more"}},
	} {
		testrun.Same(t, tc.want, compare(same, tc.now), "%s", name)
	}
	small := func(instructions float64) *table {
		return &table{counts: []*count{{name: "small", cost: cost{instructions: instructions}}}}
	}
	testrun.Equal(t, 0, len(compare(small(100), small(103))), "lines about 3 instructions, which may be more than 2 %")
	testrun.Equal(t, 1, len(compare(small(100), small(103.1))), "lines about 3.1 instructions")
}

// TestJudge: the error of a check.
func TestJudge(t *testing.T) {
	testrun.OK(t, judge(exampleTable, exampleTable))
	now := &table{measured: "go1.26.9 linux/amd64, valgrind-3.19.0", counts: exampleTable.counts[:1]}
	err := judge(exampleTable, now)
	if err == nil {
		t.Fatal("a missing entry was accepted")
	}
	for _, want := range []string{"sweep is in the table", "go1.26.8", "go1.26.9", "go run ./cmd/opcount -update"} {
		testrun.Contains(t, err.Error(), want)
	}
}
