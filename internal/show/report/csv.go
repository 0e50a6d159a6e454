package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// writeCSV writes one row a sample: the result, each setting of the run, the facts of its ranks, and each label of a
// result as a column of its own, then the unit, the sample's number from 1 and its value.
func (d *Document) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"app", "name"}
	var settings []string
	for _, s := range slices.Concat(d.Config, d.RankFacts()) {
		header = append(header, s.Key)
		settings = append(settings, s.text())
	}
	labels := d.labelKeys()
	rows := [][]string{slices.Concat(header, labels, []string{"verified", "partial", "unit", "sample", "value"})}
	for _, r := range d.Results {
		row := append([]string{d.App, r.Name}, settings...)
		for _, key := range labels {
			row = append(row, r.Labels.Text(key))
		}
		row = append(row, strconv.FormatBool(d.verified()), strconv.FormatBool(d.Partial))
		for _, m := range r.Metrics {
			for i, v := range m.Samples {
				exact := strconv.FormatFloat(v, 'g', -1, 64)
				rows = append(rows, append(row[:len(row):len(row)], m.Unit, strconv.Itoa(i+1), exact))
			}
		}
	}
	return out.WriteAll(rows)
}

// labelKeys returns the labels of all results, in the order of first appearance.
func (d *Document) labelKeys() []string {
	var keys []string
	for _, r := range d.Results {
		for _, label := range r.Labels {
			if !slices.Contains(keys, label.Key) {
				keys = append(keys, label.Key)
			}
		}
	}
	return keys
}
