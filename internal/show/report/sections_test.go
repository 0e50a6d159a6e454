package report

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
)

// labelledDocument returns a run of two results, one of which has labels, and a text of its own.
func labelledDocument() *Document {
	d := document()
	d.Results = nil
	series := bench.Series{Runs: []int{1}, Metrics: []bench.Metric{{Unit: "ns/op", Samples: []float64{5}}}}
	d.AddLabelled("c2c/single/polled", Config{{"test", "single"}, {"cpu-a", 0}}, series)
	d.AddLabelled("c2c/single/c", Config{{"cpu-a", 1}, {"class", "l3"}}, series)
	d.Warnings = []string{"look out"}
	d.Text = &Text{Sections: []Section{
		{Title: "first", Table: Table{Head: []string{"form", "p50"}, Left: 1,
			Rows: [][]string{{"polled", "5"}, {"é", "123.4"}}}},
		{Title: "second", Body: "as it\nstands\n"},
	}}
	return d
}

func TestLabels(t *testing.T) {
	var got struct {
		Results []struct{ Labels map[string]any }
	}
	testrun.OK(t, json.Unmarshal([]byte(render(t, labelledDocument(), "json")), &got))
	want := map[string]any{"test": "single", "cpu-a": 0.0}
	testrun.Same(t, want, got.Results[0].Labels, "labels of the first result")
	rows, err := csv.NewReader(strings.NewReader(render(t, labelledDocument(), "csv"))).ReadAll()
	testrun.OK(t, err)
	const columns = 4
	for i, want := range []string{"test cpu-a class verified", "single 0  true", " 1 l3 true"} {
		testrun.Same(t, want, strings.Join(rows[i][columns:columns+4], " "), "row %d has the labels", i)
	}
}

func TestOwnText(t *testing.T) {
	const first = "form      p50\npolled      5\né       123.4\n"
	text := func(change func(d *Document)) string {
		d := labelledDocument()
		change(d)
		return render(t, d, "text")
	}
	whole := text(func(d *Document) { d.Verbose = true })
	testrun.Contains(t, whole, "synch_p2p: verified\n", "\nconfig ", "\nnote      look out\n",
		"first\n"+first+"\nsecond\nas it\nstands\n", "\ncounters ")
	if strings.Contains(whole, "95 % interval") {
		t.Errorf("the usual table is there too:\n%s", whole)
	}
	none := text(func(d *Document) { d.Results = nil })
	testrun.Contains(t, none, "synch_p2p: not verified\n\nno sample was completed\n")
}
