package main

import (
	"fmt"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/report"
)

// pgasCheck sets a row's figure against a baseline's. Its aim is what the ratio should
// be: whether it is met is told, and decides nothing.
type pgasCheck struct {
	what, measured   string
	against, limited string // the baseline by name, and its figure
	ratio            float64
	aim              pgasAim
}

// pgasAim is a bound of a ratio.
type pgasAim struct {
	least bool // else most
	bound float64
}

func atLeast(bound float64) pgasAim { return pgasAim{true, bound} }
func atMost(bound float64) pgasAim  { return pgasAim{false, bound} }

func (a pgasAim) String() string {
	if a.least {
		return fmt.Sprint("at least ", a.bound)
	}
	return fmt.Sprint("at most ", a.bound)
}

// verdict is the word of the table.
func (c pgasCheck) verdict() string {
	if c.aim.least && c.ratio >= c.aim.bound || !c.aim.least && c.ratio <= c.aim.bound {
		return "met"
	}
	return "missed"
}

// idleTarget marks rows whose target does nothing in the timed part: the lines stay with
// the origin, and no transfer between cores is measured.
const idleTarget = " (hot: target idle)"

// largeCopy is the size from which a put is to be about as fast as a copy.
const largeCopy = 4 << 10

// checks returns what can be told of the rows that were measured; nothing where PEs wait
// for each other's processor.
func (r *pgasRun) checks() []pgasCheck {
	if r.crowded() {
		return nil
	}
	list := r.copyChecks()
	line := r.direct(baseLine, 0)
	handOff := r.find[pgasKey{plainVariant(baseC2C, 0), formPolled}]
	roundTrip := fmt.Sprintf("two one-way hand-offs of %s", baseC2C)
	list = r.timeCheck(list, r.direct("putget", 8), line, "store and load of a line", atMost(3), idleTarget)
	putput := r.direct("putput", 8, func(v *pgasVariant) { v.sync = pgasapp.Pairwise })
	list = r.timeCheck(list, putput, handOff, roundTrip, atMost(1.3), "")
	if r.workers.Workers == 2 {
		list = r.timeCheck(list, r.direct("sync", 0), handOff, "a round trip of "+baseC2C, atMost(1.5), "")
	}
	for _, sync := range pgasSyncs() {
		k := pgasKey{plainVariant("putput", 8), pgasapp.EDT}
		k.sync = sync
		direct := r.direct("putput", 8, func(v *pgasVariant) { v.sync = sync })
		list = r.timeCheck(list, r.find[k], direct, "form direct", atMost(5), "")
	}
	return append(list, r.fixedChecks()...)
}

// direct returns a row of form direct at the suite's settings, but for what set changes; nil
// where it was not measured.
func (r *pgasRun) direct(test string, bytes int, set ...func(*pgasVariant)) *pgasRow {
	v := plainVariant(test, bytes)
	for _, change := range set {
		change(&v)
	}
	return r.find[pgasKey{v, pgasapp.Direct}]
}

// copyChecks set puts against copies between the same buffers.
func (r *pgasRun) copyChecks() []pgasCheck {
	var list []pgasCheck
	for _, row := range r.ordered(bandwidthClass) {
		if row.test != baseCopy || row.stream || row.bytes < largeCopy {
			continue
		}
		if put := r.direct("putbw", row.bytes); put != nil {
			got, most := put.typicalRate(), row.typicalRate()
			list = append(list, pgasCheck{
				put.spelled(), report.Short(got) + " MB/s", "copy, same buffers", report.Short(most) + " MB/s", got / most, atLeast(0.9),
			})
		}
	}
	return list
}

// timeCheck adds a check of a row's time, where both rows were measured. Remark follows
// the row's name.
func (r *pgasRun) timeCheck(list []pgasCheck, row, base *pgasRow, against string, aim pgasAim, remark string) []pgasCheck {
	if row == nil || base == nil {
		return list
	}
	got, least := row.typical(), base.typical()
	return append(list, pgasCheck{row.spelled() + remark, report.Short(got) + " ns", against, report.Short(least) + " ns", got / least, aim})
}

// fixedChecks set rows against figures that do not depend on a baseline.
func (r *pgasRun) fixedChecks() []pgasCheck {
	var list []pgasCheck
	if r.workers.Workers == 2 {
		for _, limit := range []struct {
			bytes int
			ns    float64
		}{{8, 500}, {64 << 10, 20e3}, {4 << 20, 620e3}} {
			if row := r.direct("reduce", limit.bytes); row != nil {
				got := row.typical()
				list = append(list, pgasCheck{row.spelled(), report.Short(got) + " ns", "fixed", report.Short(limit.ns) + " ns", got / limit.ns, atMost(1)})
			}
		}
	}
	const contiguous = 8 << 10 // MB/s
	if row := r.direct("stridedput", pgasapp.StridedElements*pgasapp.DefaultElementBytes); row != nil {
		got := row.typicalRate()
		list = append(list, pgasCheck{row.spelled() + " stride=1", report.Short(got) + " MB/s", "fixed", fmt.Sprint(contiguous, " MB/s"), got / contiguous, atLeast(1)})
	}
	return list
}

func checkTable(checks []pgasCheck) report.Table {
	table := report.Table{Head: []string{"row", "measured", "against", "its figure", "ratio", "aim", "verdict"}, Left: 1}
	for _, c := range checks {
		table.Rows = append(table.Rows, []string{c.what, c.measured, c.against, c.limited, report.Short(c.ratio), c.aim.String(), c.verdict()})
	}
	return table
}
