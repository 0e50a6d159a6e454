package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// writeCSV writes one row a sample: the result, every setting of the run, what its ranks had, and every
// label of a result as a column of its own, then the unit, the sample's number from 1 and its value.
func (d *Document) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"app", "name"}
	var settings []string
	for _, s := range slices.Concat(d.Config, d.RankFacts()) {
		header = append(header, s.Key)
		settings = append(settings, s.text())
	}
	labels := d.labelKeys()
	header = append(header, labels...)
	header = append(header, "verified", "partial", "unit", "sample", "value")
	if err := out.Write(header); err != nil {
		return err
	}
	for _, r := range d.Results {
		row := append([]string{d.App, r.Name}, settings...)
		for _, key := range labels {
			row = append(row, r.Labels.Text(key))
		}
		row = append(row, strconv.FormatBool(d.verified()), strconv.FormatBool(d.Partial))
		for _, m := range r.Metrics {
			for i, v := range m.Samples {
				sample := append(row[:len(row):len(row)], m.Unit, strconv.Itoa(i+1), exact(v))
				if err := out.Write(sample); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
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

// Text returns the value of a key, empty if there is none.
func (c Config) Text(key string) string {
	for _, s := range c {
		if s.Key == key {
			return s.text()
		}
	}
	return ""
}
