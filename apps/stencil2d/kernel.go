package stencil2d

// An extent is how large a tile is, without the ring of points around it.
type extent struct{ Rows, Columns int32 }

// stride is how many points a row has with the ring, and points how many there are with it.
func (e extent) stride() int { return int(e.Columns) + 2 }
func (e extent) points() int { return (int(e.Rows) + 2) * e.stride() }

// relax does a step from one grid to another, of a tile that begins with the first point of its ring. It
// returns the sum of the squares of the changes, added up row by row.
func relax(from, to []float64, stride int, e extent) (residual float64) {
	n := int(e.Columns)
	for i := range int(e.Rows) {
		upper, row, lower := from[i*stride+1:][:n], from[(i+1)*stride:][:n+2], from[(i+2)*stride+1:][:n]
		result := to[(i+1)*stride+1:][:n]
		before, own := row[0], row[1]
		for j, after := range row[2:][:n] {
			v := 0.25 * ((upper[j] + lower[j]) + (before + after))
			result[j] = v
			change := v - own
			residual += float64(change * change)
			before, own = own, after
		}
	}
	return residual
}

// Sides of a tile.
const (
	above = iota
	below
	left
	right
	sides
)

// opposite is the side of the neighbour that a side touches.
func opposite(side int) int { return side ^ 1 }

// length is how many points a side has.
func (e extent) length(side int) int {
	if side < left {
		return int(e.Columns)
	}
	return int(e.Rows)
}

// side returns where a side of the tile is, or if ring is 1 that of the ring beside it: the first point, and from
// each to the next.
func (e extent) side(side, ring int) (first, step int) {
	switch side {
	case above:
		return (1-ring)*e.stride() + 1, 1
	case below:
		return (int(e.Rows)+ring)*e.stride() + 1, 1
	case left:
		return e.stride() + 1 - ring, e.stride()
	default:
		return e.stride() + int(e.Columns) + ring, e.stride()
	}
}

// put sets the ring beside a side of the tile.
func (e extent) put(tile []float64, side int, halo []float64) {
	at, step := e.side(side, 1)
	for _, v := range halo {
		tile[at] = v
		at += step
	}
}

// take copies a side of the tile, or if ring is 1 the ring beside it.
func (e extent) take(tile []float64, side, ring int, halo []float64) {
	at, step := e.side(side, ring)
	for k := range halo {
		halo[k] = tile[at]
		at += step
	}
}
