package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Rank is one rank's part of a run over several.
type Rank struct {
	Placement []int     `json:"placement"` // CPU of each of its workers, read back; -1 unknown
	EDTs      uint64    `json:"edts"`      // that ran there
	Sent      []Traffic `json:"sent"`      // by the rank that it went to
}

// Traffic is what one rank has sent another.
type Traffic struct {
	Messages uint64 `json:"messages"`
	Bytes    uint64 `json:"bytes"`
}

// traffic are the two counts of a Traffic.
var traffic = []struct {
	name string
	of   func(Traffic) uint64
}{
	{"messages", func(t Traffic) uint64 { return t.Messages }},
	{"bytes", func(t Traffic) uint64 { return t.Bytes }},
}

// mostPairs is the greatest number of ranks of which the text shows the pairs.
const mostPairs = 16

// textRanks writes a table with a row for each rank, if there are several.
func (d *Document) textRanks(b *bytes.Buffer) {
	if len(d.Ranks) == 0 {
		return
	}
	type row struct {
		k int
		Rank
	}
	rows := make([]row, len(d.Ranks))
	for k, r := range d.Ranks {
		rows[k] = row{k, r}
	}
	columns := []Column[row]{
		Words("rank", func(r row) string { return strconv.Itoa(r.k) }),
		Cells("workers on", func(r row) string { return placement(r.Placement) }),
		Cells("EDTs", func(r row) string { return strconv.FormatUint(r.EDTs, 10) }),
	}
	for _, count := range traffic {
		if len(rows) > mostPairs {
			columns = append(columns, Cells(count.name+" sent", func(r row) string {
				sum := uint64(0)
				for _, t := range r.Sent {
					sum += count.of(t)
				}
				return strconv.FormatUint(sum, 10)
			}))
			continue
		}
		for to := range rows {
			columns = append(columns, Cells(fmt.Sprintf("%s to %d", count.name, to), func(r row) string {
				if to == r.k || to >= len(r.Sent) {
					return ""
				}
				return strconv.FormatUint(count.of(r.Sent[to]), 10)
			}))
		}
	}
	b.WriteString("\nranks of one run:\n")
	table := Tabulate(rows, columns)
	table.write(b, true, d.Width())
}

// RankFacts are the facts of the ranks as settings of one word each: those of ranks are joined by ";", and several of
// one rank by ",".
func (d *Document) RankFacts() Config {
	if len(d.Ranks) == 0 {
		return nil
	}
	fact := func(key string, of func(Rank) string) Setting {
		values := make([]string, len(d.Ranks))
		for k, r := range d.Ranks {
			values[k] = of(r)
		}
		return Setting{key, strings.Join(values, ";")}
	}
	facts := Config{
		fact("placement-by-rank", func(r Rank) string { return placement(r.Placement) }),
		fact("edts-by-rank", func(r Rank) string { return strconv.FormatUint(r.EDTs, 10) }),
	}
	for _, count := range traffic {
		facts = append(facts, fact(count.name+"-by-rank", func(r Rank) string {
			var values []string
			for _, t := range r.Sent {
				values = append(values, strconv.FormatUint(count.of(t), 10))
			}
			return strings.Join(values, ",")
		}))
	}
	return facts
}
