// Package smithwaterman aligns two strings as Smith and Waterman do: it fills the table of scores
//
//	H(i,j) = max(H(i-1,j-1) + pay, H(i-1,j) - 4, H(i,j-1) - 4, 0)
//
// where pay is 2 if letters a[i] and b[j] are equal, else -3. The best alignment of a part of one string
// with a part of the other ends at the largest score. The table is cut into tiles. A tile needs the
// last row of the tile above it, the last column of the tile to its left, and the corner between them,
// so tiles on an anti-diagonal may be computed at the same time: a wavefront.
//
// # The graph
//
// There is one chain of EDTs for each column of tiles. An EDT computes a tile, goes on as the EDT
// of the tile below it (Again), and sends the last column of scores on to the right. So a column of tiles has a
// block, in which the scores of the row above are replaced by those of its own last row, and a
// row of tiles has one, the strip, that goes from column to column in the same way. Each strip comes by a
// sticky event, which the strip before it has named: that is cheaper than a channel event.
//
// Every EDT has the tile's best score and a sum over the tile's last row and column, which
// the column keeps. The last strip collects those on its way.
package smithwaterman
