package report

import (
	"encoding/json"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// ranks are the facts of n ranks.
func ranks(n int) []Rank {
	list := make([]Rank, n)
	for k := range list {
		list[k] = Rank{Placement: []int{k, -1}, EDTs: uint64(4000 + k)}
	}
	return list
}

// TestRanks holds what each format says of the ranks, and that a document of one rank says nothing.
func TestRanks(t *testing.T) {
	d := document()
	for _, format := range Formats() {
		if text := render(t, d, format); strings.Contains(text, "rank") {
			t.Errorf("one rank: %s:\n%s", format, text)
		}
	}
	d.Ranks = ranks(2)
	const table = `
ranks of one run:
rank  workers on  EDTs
0            0,?  4000
1            1,?  4001
`
	if text := render(t, d, "text"); !strings.HasSuffix(text, table) {
		t.Errorf("text:\n%s", text)
	}
	const comments = "# placement-by-rank: 0,?;1,?\n# edts-by-rank: 4000;4001\n"
	if text := render(t, d, "go"); !strings.Contains(text, comments) {
		t.Errorf("go:\n%s", text)
	}
	var got struct{ Ranks any }
	testrun.OK(t, json.Unmarshal([]byte(render(t, d, "json")), &got))
	want := []any{
		map[string]any{"placement": []any{0.0, -1.0}, "edts": 4000.0},
		map[string]any{"placement": []any{1.0, -1.0}, "edts": 4001.0},
	}
	testrun.Same(t, want, got.Ranks, "JSON")
}
