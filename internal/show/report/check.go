package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode"
)

// check refuses a document that no measurement can give.
func (d *Document) check() error {
	seen := map[string]bool{}
	for _, r := range d.Results {
		if err := r.check(); err != nil {
			return fmt.Errorf("%.60q: %w", r.Name, err)
		}
		if seen[r.Name] {
			return fmt.Errorf("%.60q: is there twice", r.Name)
		}
		seen[r.Name] = true
	}
	return d.Conditions.Check()
}

// check refuses a result without figures, with a unit twice, a bad figure, or numbers of samples or runs that do not
// fit.
func (r Result) check() error {
	if len(r.Metrics) == 0 {
		return errors.New("has no figures")
	}
	first := r.Metrics[0]
	for k, m := range r.Metrics {
		switch {
		case len(m.Samples) == 0:
			return fmt.Errorf("has no samples of %s", m.Unit)
		case len(m.Samples) != len(first.Samples):
			return fmt.Errorf("%d samples of %s, %d of %s", len(first.Samples), first.Unit, len(m.Samples), m.Unit)
		case r.Metrics[:k].Samples(m.Unit) != nil:
			return fmt.Errorf("has the unit %s twice", m.Unit)
		}
		for _, v := range m.Samples {
			if err := checkFigure(v, m.Unit); err != nil {
				return err
			}
		}
	}
	if r.Runs != nil && (len(r.Runs) != len(first.Samples) || slices.Min(r.Runs) < 1) {
		return fmt.Errorf("%d samples are the means of %d numbers of runs: must be a positive number each",
			len(first.Samples), len(r.Runs))
	}
	return nil
}

// largest bounds a figure, so that sums, squares and ratios of figures are finite.
const largest = 1e100

// checkFigure refuses a figure that is not a number, infinite or too large, and a time that is not positive.
func checkFigure(v float64, unit string) error {
	switch {
	case !(math.Abs(v) <= largest): // a NaN too
		return fmt.Errorf("%v %s: must be finite, at most %v", v, unit, largest)
	case isTime(unit) && v < 1/largest:
		return fmt.Errorf("%v %s: a time must be greater than 0", v, unit)
	}
	return nil
}

// checkWord refuses a name that would spoil a line.
func checkWord(word string) error {
	if word == "" {
		return errors.New("a name is empty")
	}
	for _, r := range word {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || unicode.IsSpace(r) {
			return errors.New("the name has characters that do not print")
		}
	}
	return nil
}
