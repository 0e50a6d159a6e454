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
	labels := map[string]Config{}
	var keys []string
	for _, r := range d.Results {
		all := slices.Clone(r.Labels)
		_, named := r.Parts()
		for _, s := range named {
			if all.Text(s.Key) == "" {
				all = append(all, s)
			}
		}
		for _, label := range all {
			if !slices.Contains(keys, label.Key) {
				keys = append(keys, label.Key)
			}
		}
		labels[r.Name] = all
	}
	rows := [][]string{slices.Concat([]string{"result", "unit", "sample", "value"}, keys, []string{"verified", "partial"})}
	for _, r := range RowsOf(d) {
		if r.Restates {
			continue
		}
		var facts []string
		for _, key := range keys {
			facts = append(facts, labels[r.Name].Text(key))
		}
		facts = append(facts, strconv.FormatBool(d.verified()), strconv.FormatBool(d.Partial))
		for i, v := range r.Samples[0] {
			exact := strconv.FormatFloat(v, 'g', -1, 64)
			rows = append(rows, slices.Concat([]string{r.Name, r.Unit, strconv.Itoa(i + 1), exact}, facts))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
