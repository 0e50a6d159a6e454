package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// writeCSV writes one row a sample: the result, every setting of the run as a
// column of its own, then the unit, the sample's number from 1 and its value.
func (d *Document) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"app", "name"}
	var settings []string
	for _, s := range d.Config {
		header = append(header, s.Key)
		settings = append(settings, fmt.Sprint(s.Value))
	}
	header = append(header, "verified", "partial", "unit", "sample", "value")
	if err := out.Write(header); err != nil {
		return err
	}
	for _, r := range d.Results {
		row := append([]string{d.App, r.Name}, settings...)
		row = append(row, strconv.FormatBool(d.Verified), strconv.FormatBool(d.Partial))
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
