package matrix

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV writes the matrix as comma-separated values: the numbers of the CPUs in
// the first line and the first column, values with all their digits,
// and nothing on the diagonal, or if a value is missing.
func (m *Matrix) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"CPU"}
	for column := range m.Len() {
		header = append(header, strconv.Itoa(m.CPU(column)))
	}
	lines := [][]string{header}
	for row := range m.Len() {
		line := []string{strconv.Itoa(m.CPU(row))}
		for column := range m.Len() {
			field := ""
			if v, ok := m.Value(row, column); ok {
				field = strconv.FormatFloat(v, 'g', -1, 64)
			}
			line = append(line, field)
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}
