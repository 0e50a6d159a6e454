package report

import (
	"encoding/json"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// ranks are the facts of n ranks; each has sent rank k 10*k messages more than its own number.
func ranks(n int) []Rank {
	list := make([]Rank, n)
	for k := range list {
		list[k] = Rank{Placement: []int{k, -1}, EDTs: uint64(4000 + k), Sent: make([]Traffic, n)}
		for to := range list {
			if to != k {
				list[k].Sent[to] = Traffic{Messages: uint64(10*to + k), Bytes: uint64(64 * (10*to + k))}
			}
		}
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
rank  workers on  EDTs  messages to 0  messages to 1  bytes to 0  bytes to 1
0            0,?  4000              -             10           -         640
1            1,?  4001              1              -          64           -
`
	if text := render(t, d, "text"); !strings.HasSuffix(text, table) {
		t.Errorf("text:\n%s", text)
	}
	comments := "# placement-by-rank: 0,?;1,?\n# edts-by-rank: 4000;4001\n# messages-by-rank: 0,10;1,0\n# " +
		"bytes-by-rank: 0,640;64,0\n"
	if text := render(t, d, "go"); !strings.Contains(text, comments) {
		t.Errorf("go:\n%s", text)
	}
	var got struct{ Ranks any }
	testrun.OK(t, json.Unmarshal([]byte(render(t, d, "json")), &got))
	sent := func(messages, bytes float64) any { return map[string]any{"messages": messages, "bytes": bytes} }
	want := []any{
		map[string]any{"placement": []any{0.0, -1.0}, "edts": 4000.0, "sent": []any{sent(0, 0), sent(10, 640)}},
		map[string]any{"placement": []any{1.0, -1.0}, "edts": 4001.0, "sent": []any{sent(1, 64), sent(0, 0)}},
	}
	testrun.Same(t, want, got.Ranks, "JSON")
}

// TestRanksFit holds that the table of many ranks folds, and has no pairs of very many.
func TestRanksFit(t *testing.T) {
	for n, want := range map[int]string{
		mostPairs: "messages to 15",
		mostPairs + 1: "rank  workers on  EDTs  messages sent  bytes sent\n0            0,?  4000           1360       " +
			"87040\n",
	} {
		d := document()
		d.Ranks = ranks(n)
		_, table, _ := strings.Cut(render(t, d, "text"), "ranks of one run:\n")
		testrun.Contains(t, table, want)
		for line := range strings.Lines(table) {
			if len(line) > Width+1 {
				t.Errorf("%d ranks: a line of %d characters: %s", n, len(line), line)
			}
		}
	}
}
