package sizes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "7B": 7, "7": 7, "4KiB": 4096, "3MiB": 3 << 20, "1GiB": 1 << 30} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "1KB", "KiB", "9999999999999GiB", "1.5MiB", "0x10", "5MiBKiB"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
}

func TestParseList(t *testing.T) {
	if got, err := ParseList("4KiB,4:32,8", 4096); err != nil || !slices.Equal(got, []int{4, 8, 16, 32, 4096}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "0", "8:4", "1,,2", "4097", "1:", ":1", "1:2:4"} {
		if got, err := ParseList(text, 4096); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
}

// Parse and ParseList read what Format and FormatList write.
func TestReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<40).Draw(t, "n") << rapid.IntRange(0, 20).Draw(t, "shift")
		if got, err := Parse(Format(n)); err != nil || got != n {
			t.Fatalf("%d is written %s and read %d, %v", n, Format(n), got, err)
		}
		list := rapid.SliceOfNDistinct(rapid.IntRange(1, 1<<12), 1, 9, rapid.ID).Draw(t, "list")
		for k := range rapid.IntRange(0, 6).Draw(t, "range") {
			list = append(list, 1<<k)
		}
		slices.Sort(list)
		list = slices.Compact(list)
		if got, err := ParseList(FormatList(list), 1<<12); err != nil || !slices.Equal(got, list) {
			t.Fatalf("%v is written %s and read %v, %v", list, FormatList(list), got, err)
		}
	})
}
