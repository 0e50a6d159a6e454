package report

import (
	"bytes"
	"strconv"
	"strings"
)

// Rank is one rank's part of a run over several.
type Rank struct {
	Placement []int  `json:"placement"` // CPU of each of its workers, read back; -1 unknown
	EDTs      uint64 `json:"edts"`      // that ran there
}

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
	return Config{
		fact("placement-by-rank", func(r Rank) string { return placement(r.Placement) }),
		fact("edts-by-rank", func(r Rank) string { return strconv.FormatUint(r.EDTs, 10) }),
	}
}
