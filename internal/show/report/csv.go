package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// writeCSV writes one measurement a row: the result, its unit, the sample's number from 1 and its value; then a column
// for each label and each setting of the results' names. It leaves out units that restate an earlier one.
func (d *Document) writeCSV(w io.Writer) error {
	labels := make([]Config, len(d.Results))
	var keys []string
	for k, r := range d.Results {
		labels[k] = slices.Clone(r.Labels)
		_, named := r.Parts()
		for _, s := range named {
			if labels[k].Text(s.Key) == "" {
				labels[k] = append(labels[k], s)
			}
		}
		for _, label := range labels[k] {
			if !slices.Contains(keys, label.Key) {
				keys = append(keys, label.Key)
			}
		}
	}
	rows := [][]string{slices.Concat([]string{"result", "unit", "sample", "value"}, keys, []string{"verified", "partial"})}
	for k, r := range d.Results {
		var facts []string
		for _, key := range keys {
			facts = append(facts, labels[k].Text(key))
		}
		facts = append(facts, strconv.FormatBool(d.verified()), strconv.FormatBool(d.Partial))
		for n, m := range r.Metrics {
			if Restates(r.Metrics, n) {
				continue
			}
			for i, v := range m.Samples {
				exact := strconv.FormatFloat(v, 'g', -1, 64)
				rows = append(rows, slices.Concat([]string{r.Name, m.Unit, strconv.Itoa(i + 1), exact}, facts))
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
