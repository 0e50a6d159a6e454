package synchp2p

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
)

const (
	appName = "synch_p2p" // in errors

	maxParameter = 1<<31 - 1 // memory and exact corners bound parameters further
	maxRanks     = 1 << 20   // the collector has two slots a rank
	exactLimit   = 1 << 53   // the first integer beyond which float64 skips values
)

// Placement says which worker runs a rank's EDTs.
type Placement string

const (
	PlaceBlock  Placement = "block"  // each worker has an equal run of neighbouring ranks
	PlaceCyclic Placement = "cyclic" // the ranks are dealt out to the workers in turn
	PlaceNone   Placement = "none"   // the scheduler chooses
)

// CloneForm says how the EDT of a rank's next phase is made.
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
// values. Call the other methods only if Validate has accepted the Config.
type Config struct {
	Ranks          int // P: strips of columns, one chain of EDTs each
	ColumnsPerRank int // K: columns of a strip
	RowsPerBlock   int // B: rows an EDT sweeps, and values in a message
	Phases         int // W: blocks of rows in a timestep
	Timesteps      int // T: sweeps of the whole grid

	// Columns, if not 0, replaces P*K as the number of columns M. The first M mod P ranks have one column more than the
	// others.
	Columns int

	Place Placement
	Clone CloneForm

	// Channels makes each link of the ring one channel event, and each message a block of its own: the later form. In the
	// seed's form each message has a sticky event, and buffer blocks are reused. In the recorded form links are edges.
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

// GridColumns returns M: Columns if set, else P*K.
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

// CornerAfter returns the exact value of A(N-1,M-1) after a number of timesteps, N+M-2 for each. In a grid of one
// column (P=1, K=1) all points are border points, which no sweep changes: its corner stays N-1.
func (c Config) CornerAfter(timesteps int) float64 {
	if c.GridColumns() == 1 && timesteps > 0 {
		return float64(c.GridRows() - 1)
	}
	return float64(timesteps) * float64(c.GridRows()+c.GridColumns()-2)
}

// Flops returns the floating-point operations of one timestep by the Parallel Research Kernels' formula: 2*(M-1)*(N-1).
func (c Config) Flops() float64 {
	return 2 * float64(c.GridColumns()-1) * float64(c.GridRows()-1)
}

// SweepEDTs returns P*W*T: one EDT per rank, phase and timestep.
func (c Config) SweepEDTs() uint64 {
	return uint64(c.Ranks) * uint64(c.Phases) * uint64(c.Timesteps)
}

// MemoryBytes returns an upper bound of the bytes that a run needs for its blocks. It saturates.
func (c Config) MemoryBytes() uint64 {
	// A rank has also a private block, a waiting EDT, events and records; a buffer also has its record.
	grid := trial.Mul(pointSize, trial.Mul(uint64(c.GridRows()), uint64(c.GridColumns())))
	buffers := trial.Mul(uint64(c.Phases), trial.Add(256, trial.Mul(pointSize, uint64(c.RowsPerBlock))))
	blocks := trial.Add(grid/4+1, buffers/4+1) // sizes are rounded up by a quarter at most
	return trial.Add(trial.Mul(blocks, 5), trial.Mul(1024, uint64(c.Ranks)))
}

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run: a parameter out of range, blocks
// that need more than memoryLimit bytes (0 is no limit), a strip larger than a data block can be, or a corner T*(N+M-2)
// that float64 does not hold exactly.
func (c Config) Validate(memoryLimit uint64) error {
	for _, p := range c.parameters() {
		low, high := 1, maxParameter
		switch p.Flag {
		case "strips":
			high = maxRanks
		case "columns":
			low = c.Ranks
		}
		allowed := fmt.Sprintf("a whole number in %d..%d", low, high)
		if e := trial.Refuse(p.Value < low || p.Value > high, p.Flag, p.Value, allowed); e != nil {
			return trial.First(appName, e)
		}
	}
	if err := trial.First(appName, trial.OneOf("place", c.Place, placements...),
		trial.OneOf("clone", c.Clone, cloneForms...), trial.Refuse(c.Clone == CloneRecorded && c.Channels, "channels", true,
			"false with clone recorded, which links strips by edges")); err != nil {
		return err
	}
	if need := c.MemoryBytes(); memoryLimit != 0 && need > memoryLimit {
		return c.tooLarge(fmt.Sprintf("the blocks need %s and the limit is %s",
			trial.Bytes(need), trial.Bytes(memoryLimit)))
	}
	if need := trial.Mul(pointSize, trial.Mul(uint64(c.GridRows()), uint64(c.Width(0)))); need > datablock.MaxSize {
		return c.tooLarge(fmt.Sprintf("a strip needs %s and the largest data block is %s",
			trial.Bytes(need), trial.Bytes(datablock.MaxSize)))
	}
	perTimestep := uint64(c.GridRows() + c.GridColumns() - 2)
	if trial.Mul(uint64(c.Timesteps), perTimestep) >= exactLimit {
		return c.tooLarge("the corner T*(N+M-2) would reach 2^53 and not be exact")
	}
	return nil
}

// parameters lists the counts that apply, with the seed's values: --columns or K, not both.
func (c Config) parameters() []trial.Parameter {
	seed := Defaults()
	columns := trial.Parameter{Flag: "columns-per-strip"}
	columns.Value, columns.Usual = c.ColumnsPerRank, seed.ColumnsPerRank
	if c.Columns != 0 {
		columns = trial.Parameter{Flag: "columns"}
		columns.Value, columns.Usual = c.Columns, seed.GridColumns()
	}
	return []trial.Parameter{
		{Flag: "strips", Value: c.Ranks, Usual: seed.Ranks},
		{Flag: "rows-per-block", Value: c.RowsPerBlock, Usual: seed.RowsPerBlock},
		{Flag: "phases", Value: c.Phases, Usual: seed.Phases},
		{Flag: "timesteps", Value: c.Timesteps, Usual: seed.Timesteps},
		columns,
	}
}

// tooLarge refuses the parameter with the greatest ratio to the seed's value.
func (c Config) tooLarge(reason string) error {
	return trial.First(appName, trial.TooLarge(reason, c.parameters()...))
}
