package report

import (
	"math"
	"slices"
)

// A Row is one unit of one result, in several documents.
type Row struct {
	Name, Unit string
	Samples    [][]float64 // by document; nil for a document without the row
	Restates   bool        // an earlier row of the result says the same in another unit
}

// RowsOf merges the results of documents: result by result and unit by unit, in the order in which they appear first.
func RowsOf(documents ...*Document) (list []*Row) {
	found := map[[2]string]*Row{}
	for i, d := range documents {
		for _, r := range d.Results {
			for _, m := range r.Metrics {
				key := [2]string{r.Name, m.Unit}
				if found[key] == nil {
					found[key] = &Row{Name: r.Name, Unit: m.Unit, Samples: make([][]float64, len(documents))}
					list = append(list, found[key])
				}
				found[key].Samples[i] = m.Samples
			}
		}
	}
	for _, units := range Grouped(list, NameOfRow) {
		for k, row := range units {
			row.Restates = slices.ContainsFunc(units[:k], row.restates)
		}
	}
	return list
}

// NameOfRow is the key by which [Grouped] finds the rows of a result.
func NameOfRow(r *Row) string { return r.Name }

// sameThing is the fraction by which the ratio of two units of the same measurement may vary over samples: by the
// rounding of floating-point numbers.
const sameThing = 1e-9

// restates reports whether two rows are one measurement in two units: both are times, ratios of times or rates, and
// their quotient, or their product, is the same in every sample of the documents with both. Samples that are all the
// same show nothing.
func (r *Row) restates(other *Row) bool {
	if BetterOf(r.Unit) == Neither || BetterOf(other.Unit) == Neither {
		return false
	}
	var a, b []float64
	for i := range r.Samples {
		if len(r.Samples[i]) == len(other.Samples[i]) {
			a, b = append(a, r.Samples[i]...), append(b, other.Samples[i]...)
		}
	}
	quotient, product, varies := true, true, false
	for i := range a {
		quotient = quotient && alike(a[i]*b[0], a[0]*b[i])
		product = product && alike(a[i]*b[i], a[0]*b[0])
		varies = varies || a[i] != a[0]
	}
	return varies && (quotient || product)
}

func alike(a, b float64) bool { return a != 0 && math.Abs(a-b) <= sameThing*math.Abs(b) }
