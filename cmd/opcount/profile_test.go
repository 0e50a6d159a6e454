package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/proof/testrun"
)

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
