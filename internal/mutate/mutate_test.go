package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tiny is a module with a test for one of its two functions, and one that hangs if its
// loop does.
var tiny = map[string]string{
	"go.mod": "module tiny\n\ngo 1.26\n",
	"core/core.go": `package core

import "sync/atomic"

// Limit is left alone: constants are.
const Limit = 7

// Max is tested.
func Max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// Sum hangs if it counts the other way.
func Sum(n int) (s int) {
	for k := 0; k != n; k++ {
		s += k
	}
	return s
}

// Untested has no test.
func Untested(x *atomic.Int64) bool {
	x.Store(1)
	if x.Load() > Limit {
		panic("more than " + "Limit")
	}
	return x.CompareAndSwap(1, 2)
}
`,
	"core/core_test.go": `package core

import "testing"

func TestMax(t *testing.T) {
	if Max(1, 2) != 2 || Max(2, 1) != 2 {
		t.Fatal("wrong")
	}
}

func TestSum(t *testing.T) {
	if Sum(4) != 6 {
		t.Fatal("wrong")
	}
}
`,
}

func tinyModule(t *testing.T) *module {
	t.Helper()
	dir := t.TempDir()
	for name, text := range tiny {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := loadModule(context.Background(), dir, []string{"core"})
	if err != nil {
		t.Fatal(err)
	}
	m.ladder = []rung{{dir: "core"}}
	return m
}

func TestEdits(t *testing.T) {
	m := tinyModule(t)
	var got []string
	for _, e := range edits(m.packages[0], m.fset) {
		got = append(got, e.function+": "+string(e.kind)+": "+e.what)
	}
	for _, want := range []string{
		"Max: negate: a > b -> !(a > b)",
		"Max: never: a > b -> false && (a > b)",
		"Max: boundary: > in a > b -> >=",
		"Sum: counter: ++ in k++ -> --",
		"Sum: counter: += in s += k -> -=",
		"Sum: drop: without s += k",
		"Untested: drop: without x.Store(1)",
		"Untested: return: return before if x.Load() > Limit { panic(\"more than \" + \"Limit\") }",
		"Untested: tear: x.CompareAndSwap(1, 2) as a load and a store",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
	for _, e := range got {
		if strings.Contains(e, "7") || strings.Contains(e, `"more than" ->`) || strings.Contains(e, `+ in "more`) {
			t.Errorf("not to be changed: %s", e)
		}
	}
}

// The same seed draws the same mutants, each once; another seed others.
func TestDraw(t *testing.T) {
	m := tinyModule(t)
	drawn := func(seed uint64) (text string) {
		mutants, err := m.draw(seed, 12)
		if err != nil || len(mutants) != 12 {
			t.Fatalf("%d mutants, %v", len(mutants), err)
		}
		seen, kinds := make(map[string]bool), make(map[kind]int)
		for k, mu := range mutants {
			if mu.id != k+1 || seen[mu.String()] || !m.compiles(mu.src, mu.edit) {
				t.Errorf("mutant %d: number %d, drawn before: %v", k+1, mu.id, seen[mu.String()])
			}
			seen[mu.String()] = true
			kinds[mu.kind]++
			text += mu.String() + "\n"
		}
		for k, n := range kinds {
			if n > 3 {
				t.Errorf("%d of 12 are of kind %s", n, k)
			}
		}
		return text
	}
	first, again := drawn(1), drawn(1)
	if first != again {
		t.Error("one seed, two lists")
	}
	if first == drawn(2) {
		t.Error("two seeds, one list")
	}
}

// A mutant ends as its tests say; the tree is not touched.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the tests of a module again and again, each in a process of its own: not in short tests")
	}
	m := tinyModule(t)
	want := map[string]verdict{
		"a > b -> !(a > b)":           {outcome: byTest, test: "TestMax"},
		"++ in k++ -> --":             {outcome: byTime, test: "TestSum"},
		"without x.Store(1)":          {outcome: survived},
		"> in a > b -> >=":            {outcome: survived},
		"k != n -> false && (k != n)": {outcome: byTest, test: "TestSum"},
	}
	var mutants []mutant
	for _, e := range edits(m.packages[0], m.fset) {
		if _, ok := want[e.what]; ok {
			mutants = append(mutants, mutant{len(mutants) + 1, m.packages[0], e})
		}
	}
	if len(mutants) != len(want) {
		t.Fatalf("%d mutants, want %d", len(mutants), len(want))
	}
	verdicts, err := m.test(context.Background(), mutants, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for k, mu := range mutants {
		w := want[mu.what]
		if v := verdicts[k]; v.outcome != w.outcome || v.outcome != survived && v.test != w.test {
			t.Errorf("%s: %v, want %s %s", mu.what, v, w.outcome, w.test)
		}
	}
	if text, err := os.ReadFile(filepath.Join(m.dir, "core/core.go")); err != nil || string(text) != tiny["core/core.go"] {
		t.Errorf("the source has changed, %v", err)
	}
	var out bytes.Buffer
	if killed := writeTable(&out, mutants, verdicts); killed != 60 || !strings.Contains(out.String(), "all: 3 of 5 killed, 60 %, 1 of them by timeout") {
		t.Errorf("%v %% killed:\n%s", killed, &out)
	}
}

// Tests that fail without a fault say nothing about one.
func TestFailingBaseline(t *testing.T) {
	m := tinyModule(t)
	broken := strings.Replace(tiny["core/core_test.go"], "!= 6", "!= 7", 1)
	if err := os.WriteFile(filepath.Join(m.dir, "core/core_test.go"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	mutants, err := m.draw(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.test(context.Background(), mutants, io.Discard); err == nil || !strings.Contains(err.Error(), "core fails without any mutant: TestSum") {
		t.Errorf("got %v", err)
	}
}

func TestJudge(t *testing.T) {
	for out, want := range map[string]verdict{
		"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.1s)\nFAIL":                      {outcome: byTest, test: "TestA"},
		"panic: test timed out after 5s\n\trunning tests:\n\t\tTestB (5s)\n\ngoroutine 1": {outcome: byTime, test: "TestB"},
		"PASS\ngoleak: Errors on successful test run":                                     {outcome: byTest, test: "goleak"},
		"fatal error: all goroutines are asleep\n\nocr/edt.TestC(0x1)\n":                  {outcome: byTest, test: "TestC"},
		"unexpected fault address 0x0":                                                    {outcome: byTest, test: "crash"},
	} {
		if o, test := judge(out); o != want.outcome || test != want.test {
			t.Errorf("%q: %s %s, want %s %s", out, o, test, want.outcome, want.test)
		}
	}
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-n 0":       "-n 0: need at least 1",
		"-least 101": "-least 101: need 0 to 100",
		"guid":       `unknown argument "guid"`,
		"-x":         "flag provided but not defined: -x",
	} {
		if _, err := parse(strings.Fields(args), io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	if _, err := loadModule(context.Background(), ".", []string{"nowhere"}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("an unknown package: %v", err)
	}
}

func TestAVerdictNamesItsTest(t *testing.T) {
	for want, v := range map[string]verdict{
		"survived":                   {outcome: survived},
		"edt TestX":                  {byTest, rung{dir: "edt"}, "TestX", time.Second},
		"edt (long) TestX (timeout)": {byTime, rung{dir: "edt", long: true}, "TestX", time.Second},
	} {
		if v.String() != want {
			t.Errorf("%q, want %q", v, want)
		}
	}
}
