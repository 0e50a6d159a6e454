package cpulist

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []int
	}{
		{"", []int{}},
		{" \n", []int{}},
		{"0", []int{0}},
		{"0-3\n", []int{0, 1, 2, 3}},
		{"0-3,8,10-11", []int{0, 1, 2, 3, 8, 10, 11}},
		{"5-5", []int{5}},
		{"8,2,2,1-3", []int{1, 2, 3, 8}},
		{" 1 , 4-5 ", []int{1, 4, 5}},
		{"007", []int{7}},
		{"63-64,1023-1024,1048575", []int{63, 64, 1023, 1024, 1048575}},
	} {
		got, err := Parse(tt.in)
		testrun.OK(t, err)
		testrun.Same(t, tt.want, got, "Parse(%q)", tt.in)
	}
}

func TestParseErrors(t *testing.T) {
	long := strings.Repeat("9", 200)
	for _, tt := range []struct{ in, want string }{
		{"x", `CPU list "x": bad part "x": want a CPU number, or a range such as 0-3`},
		{"0,,1", `CPU list "0,,1": bad part "": want a CPU number`},
		{"0,", `CPU list "0,": bad part "": want a CPU number`},
		{"-1", `bad part "-1": want a CPU number`},
		{"+1", `bad part "+1": want a CPU number`},
		{"1_0", `bad part "1_0": want a CPU number`},
		{"0x2", `bad part "0x2": want a CPU number`},
		{"1-", `bad part "1-": want a CPU number`},
		{"1-2-3", `bad part "1-2-3": want a CPU number`},
		{"1 2", `bad part "1 2": want a CPU number`},
		{"4:2", `bad part "4:2": want a CPU number`},
		{"0,7-3", `CPU list "0,7-3": bad part "7-3": the range ends below its start (3 < 7)`},
		{"0-8:2", `bad part "0-8:2": want a CPU number`},
		{"0-8:", `bad part "0-8:": want a CPU number`},
		{"1048576", `bad part "1048576": 1048576 is too large (allowed: 0 to 1048575)`},
		{"0-99999999999999999999", `is too large (allowed: 0 to 1048575)`},
		{long, `CPU list "` + long[:60] + `": bad part "` + long[:60] + `": ` + long[:60] + ` is too large`},
		{"0\n1", `CPU list "0\n1": bad part`},
	} {
		got, err := Parse(tt.in)
		if testrun.Fails(t, err, tt.want, "Parse(%q) = %v", tt.in, got); strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("the error has more than one line: %v", err)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, tt := range []struct {
		in   []int
		want string
	}{
		{nil, ""},
		{[]int{3}, "3"},
		{[]int{0, 1}, "0-1"},
		{[]int{8, 2, 1, 3, 2}, "1-3,8"},
		{[]int{0, 2, 4}, "0,2,4"},
	} {
		given := slices.Clone(tt.in)
		testrun.Equal(t, tt.want, Format(tt.in), "Format(%v)", tt.in)
		testrun.Same(t, tt.in, given, "the argument of Format afterwards")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "0", "0-3,8,10-14", "1048575", "7-3", "0,,1", "0-1048575"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 64 {
			return
		}
		cpus, err := Parse(s)
		if err != nil {
			if cpus != nil {
				t.Fatalf("Parse(%q) returned a list and %v", s, err)
			}
			return
		}
		for i, cpu := range cpus {
			if cpu < 0 || cpu > MaxCPU || i > 0 && cpus[i-1] >= cpu {
				t.Fatalf("Parse(%q): not ascending within bounds at %d", s, cpu)
			}
		}
		again, err := Parse(Format(cpus))
		if err != nil || !slices.Equal(again, cpus) {
			t.Fatalf("Parse(%q) = %v, which does not survive Format: %v, %v", s, cpus, again, err)
		}
	})
}

func TestParseInOrder(t *testing.T) {
	got, err := ParseInOrder("3,0-2,1,8")
	testrun.OK(t, err)
	testrun.Same(t, []int{3, 0, 1, 2, 8}, got)
}
