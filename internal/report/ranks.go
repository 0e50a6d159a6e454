package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Rank is what one rank had of a run over several.
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

// mostPairs is how many ranks the text shows the pairs of.
const mostPairs = 16

// rankTable has a row for each rank.
func (d *Document) rankTable() Table {
	type row struct {
		k int
		Rank
	}
	columns := []Column[row]{
		{"rank", true, func(r row) string { return strconv.Itoa(r.k) }},
		{"workers on", false, func(r row) string { return placement(r.Placement) }},
		{"EDTs", false, func(r row) string { return strconv.FormatUint(r.EDTs, 10) }},
	}
	var rows []row
	for k, r := range d.Ranks {
		rows = append(rows, row{k, r})
	}
	for _, what := range []struct {
		head string
		of   func(Traffic) uint64
	}{
		{"messages", func(t Traffic) uint64 { return t.Messages }},
		{"bytes", func(t Traffic) uint64 { return t.Bytes }},
	} {
		if len(rows) > mostPairs {
			columns = append(columns, Column[row]{what.head + " sent", false, func(r row) string {
				sum := uint64(0)
				for _, t := range r.Sent {
					sum += what.of(t)
				}
				return strconv.FormatUint(sum, 10)
			}})
			continue
		}
		for to := range rows {
			columns = append(columns, Column[row]{fmt.Sprintf("%s to %d", what.head, to), false, func(r row) string {
				if to == r.k || to >= len(r.Sent) {
					return ""
				}
				return strconv.FormatUint(what.of(r.Sent[to]), 10)
			}})
		}
	}
	return Tabulate(rows, columns)
}

// textRanks writes what each rank had, if there are several.
func (d *Document) textRanks(b *bytes.Buffer) {
	if len(d.Ranks) == 0 {
		return
	}
	b.WriteString("\nranks of one run:\n")
	table := d.rankTable()
	table.write(b, true, d.Width())
}

// RankFacts are what the ranks had, for what shows a fact as one word: what each has is joined by ";", and what a rank has of several by ",".
func (d *Document) RankFacts() Config {
	if len(d.Ranks) == 0 {
		return nil
	}
	var facts Config
	for _, c := range []struct {
		key string
		of  func(Rank) string
	}{
		{"placement-by-rank", func(r Rank) string { return placement(r.Placement) }},
		{"edts-by-rank", func(r Rank) string { return strconv.FormatUint(r.EDTs, 10) }},
		{"messages-by-rank", func(r Rank) string { return r.sent(func(t Traffic) uint64 { return t.Messages }) }},
		{"bytes-by-rank", func(r Rank) string { return r.sent(func(t Traffic) uint64 { return t.Bytes }) }},
	} {
		var values []string
		for _, r := range d.Ranks {
			values = append(values, c.of(r))
		}
		facts = append(facts, Setting{c.key, strings.Join(values, ";")})
	}
	return facts
}

func (r Rank) sent(of func(Traffic) uint64) string {
	var values []string
	for _, t := range r.Sent {
		values = append(values, strconv.FormatUint(of(t), 10))
	}
	return strings.Join(values, ",")
}
