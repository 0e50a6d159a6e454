package cholesky

import "math/rand/v2"

// A matrix is the lower half of one, in tiles: tile (i, j), j <= i, is m[i][j], by rows. Its diagonal
// tiles are whole, of a factor with anything in the upper half.
type matrix [][][]float64

func (c Config) newMatrix() matrix {
	m := make(matrix, c.perSide())
	for i := range m {
		m[i] = make([][]float64, i+1)
		for j := range m[i] {
			m[i][j] = make([]float64, c.rows(i)*c.rows(j))
		}
	}
	return m
}

// newInput makes a symmetric matrix of random numbers in -1..1, whose diagonal is so large that it is positive
// definite.
func (c Config) newInput() matrix {
	m, random := c.newMatrix(), rand.New(rand.NewPCG(1, 2))
	for row := range c.Size {
		for column := range row + 1 {
			v := 2*random.Float64() - 1
			if row == column {
				v += float64(c.Size)
			}
			*c.at(m, row, column) = v
			if row/c.Tile == column/c.Tile {
				*c.at(m, column, row) = v
			}
		}
	}
	return m
}

// at returns the element of a row and column that lies in one of the tiles.
func (c Config) at(m matrix, row, column int) *float64 {
	i, j := row/c.Tile, column/c.Tile
	return &m[i][j][row%c.Tile*c.rows(j)+column%c.Tile]
}

// copyTo copies all tiles.
func (m matrix) copyTo(to matrix) {
	for i := range m {
		for j := range m[i] {
			copy(to[i][j], m[i][j])
		}
	}
}
