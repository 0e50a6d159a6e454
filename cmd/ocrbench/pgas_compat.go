package main

import (
	"bytes"
	"fmt"
	"strings"

	pgasapp "ocr/apps/pgas"
)

// A compatRow is one figure as the original suite prints it.
type compatRow struct {
	title       string // of the table: rows of one title that follow each other are one
	kind        pgasapp.Kind
	elements    int // of a block, or in strided tests those that a transfer moves
	stride      int // 0: the test is not strided
	repetitions int
	value       float64 // us, or MB/s (2^20 bytes a second)
}

// writeCompat writes figures in the original suite's form: a title, and for a latency one
// line. A bandwidth or a reduction has a line of column heads, then a line for each size,
// or stride.
func writeCompat(b *bytes.Buffer, rows []compatRow) {
	for k, row := range rows {
		if k == 0 || row.title != rows[k-1].title {
			fmt.Fprintf(b, "\n%s\n", row.title)
			switch {
			case row.stride > 0:
				fmt.Fprintf(b, "%20s %20s %20s %17s\n", "count", "stride", "nrep", "bandwidth (MB/s)")
			case row.kind == pgasapp.Bandwidth:
				fmt.Fprintf(b, "%20s %20s %17s\n", "blksize", "nrep", "bandwidth (MB/s)")
			case row.kind == pgasapp.Reduction:
				fmt.Fprintf(b, "%20s %20s %17s\n", "blksize", "nrep", "latency (us)")
			}
		}
		switch {
		case row.stride > 0:
			fmt.Fprintf(b, "%20d %20d %20d %17.3f\n", row.elements, row.stride, row.repetitions, row.value)
		case row.kind == pgasapp.Latency:
			fmt.Fprintf(b, "%20.8f us\n", row.value)
		default:
			fmt.Fprintf(b, "%20d %20d %17.3f\n", row.elements, row.repetitions, row.value)
		}
	}
}

// compat writes all results in that form, those of one title together.
func (r *pgasRun) compat(b *bytes.Buffer) {
	var titles []string
	tables := map[string][]compatRow{}
	for class := latencyClass; class <= reductionClass; class++ {
		for _, row := range r.ordered(class) {
			c := r.compatRow(row)
			if tables[c.title] == nil {
				titles = append(titles, c.title)
			}
			tables[c.title] = append(tables[c.title], c)
		}
	}
	for _, t := range titles {
		writeCompat(b, tables[t])
	}
}

func (r *pgasRun) compatRow(row *pgasRow) compatRow {
	t := row.suiteTest()
	c := compatRow{title: r.compatTitle(row), kind: t.Kind, repetitions: row.repetitions}
	size := pgasapp.DefaultElementBytes
	switch {
	case t.Uses.Type:
		size = row.element.Size()
	case t.Uses.Stride:
		size, c.stride = r.config(row.pgasKey).ElementBytes, row.stride
	}
	c.elements = row.bytes / size
	if c.value = row.mean("MB/s"); t.Kind != pgasapp.Bandwidth {
		c.value = row.mean("ns/op") / 1e3
	}
	return c
}

// compatNames are what the original calls its tests; it has no others.
var compatNames = map[string]string{
	"putget": "Put-Get Latency", "putput": "Put-Put Latency", "getget": "Get-Get Latency", "sync": "SYNC Latency",
	"putbw": "1-way Put Bandwidth", "getbw": "1-way Get Bandwidth", "putbibw": "2-way Put Bandwidth", "getbibw": "2-way Get Bandwidth",
	"stridedput": "1-way Strided Put Bandwidth", "stridedget": "1-way Strided Get Bandwidth",
	"stridedputbi": "2-way Strided Put Bandwidth", "stridedgetbi": "2-way Strided Get Bandwidth",
	"reduce": "Reduction, src != dst", "reduceinplace": "Reduction, src == dst",
}

// compatTitle names a row but for its size and stride. In brackets stands what the name
// and the original's settings do not say.
func (r *pgasRun) compatTitle(row *pgasRow) string {
	t := row.suiteTest()
	who := fmt.Sprintf("%d pairs", r.workers.Workers/2)
	if !t.Uses.Pairs {
		who = fmt.Sprintf("%d PEs", r.workers.Workers)
	}
	var apart []string
	if len(t.Uses.Syncs) > 0 {
		apart = append(apart, string(row.sync))
	}
	if t.Uses.Stride {
		apart = append(apart, "strided at "+string(row.strided))
	}
	if row.form != pgasapp.Direct {
		apart = append(apart, string(row.form))
	}
	for _, s := range row.settings() {
		if s.Key == "window" || s.Key == "completion" || s.Key == "mode" || s.Key == "type" {
			apart = append(apart, s.Key+"="+fmt.Sprint(s.Value))
		}
	}
	if t.Kind == pgasapp.Latency && row.bytes > 0 && row.bytes != pgasapp.DefaultElementBytes {
		apart = append(apart, fmt.Sprintf("%d bytes", row.bytes))
	}
	name, ok := compatNames[t.Name]
	if !ok {
		name = t.Title
	}
	title := fmt.Sprintf("%s (%s)", name, who)
	if len(apart) > 0 {
		title += " [" + strings.Join(apart, ", ") + "]"
	}
	return title
}
