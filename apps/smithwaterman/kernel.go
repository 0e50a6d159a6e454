package smithwaterman

import "slices"

// A border is a letter of one of the strings, 0 to 3, and a score at the border of what is computed: in its
// row, the column before; in its column, the row above.
type border struct{ Letter, Score int32 }

// pays is what a pair of letters adds to the score, and gap what a letter adds that has no partner.
var pays = [4][4]int32{{2, -3, -3, -3}, {-3, 2, -3, -3}, {-3, -3, 2, -3}, {-3, -3, -3, 2}}

const gap = -4

// sweep computes a tile whose first row and column are top and left in the table. rows and columns
// have the scores before and above it, and get those of its last column and row. corner is
// the score above the first of rows. What sweep returns is that of the tile to the right.
func sweep(top, left int, corner int32, rows, columns []border, found *outcome) int32 {
	next := columns[len(columns)-1].Score
	for i := range rows {
		row := &rows[i]
		pay, score, diagonal, most := &pays[row.Letter&3], row.Score, corner, int32(0)
		corner = score
		for j := range columns {
			at := &columns[j]
			above := at.Score
			score = max(max(diagonal+pay[at.Letter&3], above+gap, 0), score+gap)
			diagonal, at.Score = above, score
			most = max(most, score)
		}
		row.Score = score
		if most >= found.Score && most > 0 {
			j := slices.IndexFunc(columns, func(b border) bool { return b.Score == most })
			found.add(outcome{Score: most, Row: int32(top + i), Column: int32(left + j)})
		}
	}
	bottom, right := top+len(rows)-1, left+len(columns)-1
	found.Borders += sum(columns, weight(bottom, left), columnWeight) + sum(rows, weight(top, right), rowWeight)
	return next
}

// An outcome is what is known of some tiles: the largest score, the first place that has it, and a sum of the
// scores in the tiles' last rows and columns, each by a weight of its place.
type outcome struct {
	Score, Row, Column int32
	Borders            uint64
}

// add adds what is known of other tiles.
func (o *outcome) add(other outcome) {
	borders := o.Borders + other.Borders
	if other.Score > o.Score || other.Score == o.Score && other.before(*o) {
		*o = other
	}
	o.Borders = borders
}

// before reports whether o's place comes before another's in the table, row by row.
func (o outcome) before(other outcome) bool {
	return o.Row < other.Row || o.Row == other.Row && o.Column < other.Column
}

// Weights grow from row to row, and from column to column, by numbers that have nothing to do with one
// another. All are modulo 2^64.
const (
	rowWeight    = 0x9e3779b97f4a7c15
	columnWeight = 0xd1b54a32d192ed03
)

func weight(row, column int) uint64 {
	return uint64(row+1)*rowWeight + uint64(column+1)*columnWeight
}

func sum(scores []border, weight, step uint64) (s uint64) {
	for k := range scores {
		s += uint64(uint32(scores[k].Score)) * weight
		weight += step
	}
	return s
}
