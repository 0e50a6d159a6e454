package main

import (
	"fmt"
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
	testrun.Contains(t, fmt.Sprint(judge(exampleTable, now)), "sweep is in the table", "go1.26.8", "go1.26.9",
		"go run ./cmd/opcount -update")
}

// testdata/callgrind.txt is an excerpt of a file of callgrind.
func TestParseProfile(t *testing.T) {
	got, err := readProfile("testdata/callgrind.txt")
	testrun.OK(t, err)
	want := profile{
		"ocr/datablock.(*Local).Create": {instructions: 1540, calls: 22},
		"ocr/edt.(*Ctx).NewBlock":       {instructions: 53},
		"ocr/edt.(*Ctx).DestroyBlock":   {instructions: 104, locked: 2},
		"ocr/guid.(*Cache[...]).Put":    {instructions: 42},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cost{})); diff != "" {
		t.Error(diff)
	}
}

func TestParseProfileRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"other events":            "events: Ir Dr\n",
		"unknown number":          "events: Ir Ge\nfn=(3)\n0 12\n",
		"cost without a function": "events: Ir Ge\n0 12\n",
		"cost is no number":       "events: Ir Ge\nfn=(1) ocr/edt.a\n0 x\n",
		"too many costs":          "events: Ir Ge\nfn=(1) ocr/edt.a\n0 1 2 3\n",
		"calls no number":         "events: Ir Ge\nfn=(1) ocr/edt.a\ncfn=(2) b\ncalls=x 0\n",
	} {
		if err := (profile{}).read(text); err == nil || !strings.HasPrefix(err.Error(), "callgrind's output, line ") ||
			!strings.HasSuffix(err.Error(), " is not understood") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDifference(t *testing.T) {
	e := entry{name: "e"}
	small := &run{10, profile{"ocr/edt.a": {100, 10, 0}, "ocr/edt.gone": {20, 0, 0}}}
	large := &run{30, profile{"ocr/edt.a": {500, 30, 20}, "ocr/edt.new": {60, 0, 0}}}
	got, err := e.difference(small, large)
	testrun.OK(t, err)
	if want := (cost{(400 + 60 - 20) / 20., 1, 1}); !near(got.cost, want) {
		t.Errorf("cost %v, want %v", got.cost, want)
	}
	if _, err := e.difference(large, small); err == nil {
		t.Error("fewer operations in the large run were accepted")
	}
}

func near(a, b cost) bool {
	d := a.plus(b.times(-1))
	return max(d.instructions, -d.instructions, d.locked, -d.locked, d.calls, -d.calls) < 1e-9
}
