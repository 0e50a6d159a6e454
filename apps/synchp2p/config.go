package synchp2p

import "ocr/apps/trial"

// Placement says on which worker a rank's EDTs run.
type Placement string

const (
	PlaceBlock  Placement = "block"  // each worker has an equal run of neighbouring ranks
	PlaceCyclic Placement = "cyclic" // the ranks are dealt out to the workers in turn
	PlaceNone   Placement = "none"   // the scheduler chooses
)

// CloneForm says how the EDT of a rank's next phase comes about.
type CloneForm string

const (
	CloneNew   CloneForm = "new"   // the seed's form: each EDT creates the next one
	CloneAgain CloneForm = "again" // each EDT goes on as the next one

	CloneRecorded CloneForm = "recorded" // the EDTs of a timestep are a graph that is recorded once
)

var (
	placements = []Placement{PlaceBlock, PlaceCyclic, PlaceNone}
	cloneForms = []CloneForm{CloneNew, CloneAgain, CloneRecorded}
)

// Config describes one problem and how it is cut into EDTs. The letters are the seed's. Defaults returns the seed's
// values; Validate must accept a Config before anything else is called on it.
type Config struct {
	Ranks          int // P: strips of columns, one chain of EDTs each
	ColumnsPerRank int // K: columns of a strip
	RowsPerBlock   int // B: rows an EDT sweeps, and values in a message
	Phases         int // W: blocks of rows in a timestep
	Timesteps      int // T: sweeps of the whole grid

	// Columns, when not 0, replaces P*K as the number of columns M. The first M mod P ranks get one column more than
	// the others.
	Columns int

	Place Placement
	Clone CloneForm

	// Channels makes the links of the ring channel events, one each, and a block a message: the later form. The seed's has
	// a sticky event a message, and buffer blocks that are reused. The recorded form has edges.
	Channels bool
}

// Defaults returns the seed's parameters and forms: a grid of 25 rows by 50 columns, swept 100 times by 8000 EDTs.
func Defaults() Config {
	return Config{
		Ranks: 10, ColumnsPerRank: 5, RowsPerBlock: 3, Phases: 8, Timesteps: 100,
		Place: PlaceBlock, Clone: CloneNew,
	}
}

// GridRows returns N = B*W+1.
func (c Config) GridRows() int { return c.RowsPerBlock*c.Phases + 1 }

// GridColumns returns M: Columns when set, else P*K.
func (c Config) GridColumns() int {
	if c.Columns != 0 {
		return c.Columns
	}
	return c.Ranks * c.ColumnsPerRank
}

// Width returns the number of columns of a rank's strip.
func (c Config) Width(rank int) int {
	width := c.GridColumns() / c.Ranks
	if rank < c.GridColumns()%c.Ranks {
		width++
	}
	return width
}

// FirstColumn returns the grid column at which a rank's strip begins.
func (c Config) FirstColumn(rank int) int {
	columns := c.GridColumns()
	return rank*(columns/c.Ranks) + min(rank, columns%c.Ranks)
}

// CornerAfter returns the exact value of A(N-1,M-1) after a number of timesteps, N+M-2 for each. A grid of one column
// (P=1, K=1) is nothing but its border, which no sweep changes: its corner stays N-1.
func (c Config) CornerAfter(timesteps int) float64 {
	return corner(c.GridRows(), c.GridColumns(), timesteps)
}

func corner(rows, columns, timesteps int) float64 {
	if columns == 1 && timesteps > 0 {
		return float64(rows - 1)
	}
	return float64(timesteps) * float64(rows+columns-2)
}

// Flops returns the floating-point operations of one timestep by the Parallel Research Kernels' formula: 2*(M-1)*(N-1).
func (c Config) Flops() float64 {
	return 2 * float64(c.GridColumns()-1) * float64(c.GridRows()-1)
}

// SweepEDTs returns P*W*T: one EDT per rank, phase and timestep.
func (c Config) SweepEDTs() uint64 {
	return uint64(c.Ranks) * uint64(c.Phases) * uint64(c.Timesteps)
}

// MemoryBytes returns an upper bound of the memory a run needs for its blocks. It saturates.
func (c Config) MemoryBytes() uint64 {
	// Beside the points, a rank has a private block, an EDT that waits, events and records, and a buffer has its
	// record.
	grid := trial.Mul(pointSize, trial.Mul(uint64(c.GridRows()), uint64(c.GridColumns())))
	buffers := trial.Mul(uint64(c.Phases), trial.Add(256, trial.Mul(pointSize, uint64(c.RowsPerBlock))))
	blocks := trial.Add(grid/4+1, buffers/4+1) // sizes are rounded up by a quarter at most
	return trial.Add(trial.Mul(blocks, 5), trial.Mul(1024, uint64(c.Ranks)))
}
