package synchp2p

import (
	"fmt"
	"slices"

	"ocr/apps/trial"
	"ocr/datablock"
)

// MaxStrips bounds [Config.Strips]: EDT collect has two slots a strip.
const MaxStrips = 1 << 20

const (
	appName = "synch_p2p" // the app's name in errors

	maxParameter = 1<<31 - 1 // memory and exact corners bound parameters further
	exactLimit   = 1 << 53   // the first integer beyond which float64 skips values
)

// Placement says which worker runs a strip's EDTs.
type Placement string

const (
	PlaceBlock  Placement = "block"  // each worker has an equal run of neighbouring strips
	PlaceCyclic Placement = "cyclic" // the strips are dealt out to the workers in turn
	PlaceNone   Placement = "none"   // the scheduler chooses
)

// Form says how the EDT of a strip's next phase is made.
type Form string

const (
	EDT         Form = "edt"          // the seed's form: each EDT creates the next one
	EDTAgain    Form = "edt-again"    // each EDT goes on as the next one
	EDTRecorded Form = "edt-recorded" // the EDTs of a timestep are a graph that is recorded once
)

var placements = []Placement{PlaceBlock, PlaceCyclic, PlaceNone}

// Forms returns all forms.
func Forms() []Form { return []Form{EDT, EDTAgain, EDTRecorded} }

// IsGraph reports whether a form is one of [Forms]: a suite has forms without EDTs, too.
func (f Form) IsGraph() bool { return slices.Contains(Forms(), f) }

// HasEvents reports whether events link the strips.
func (f Form) HasEvents() bool { return f == EDT || f == EDTAgain }

// Config describes one problem and how it is cut into EDTs. The letters are the seed's. Defaults returns the seed's
// values. Call the other methods only if Validate has accepted the Config.
type Config struct {
	Strips          int // P: strips of columns, one chain of EDTs each
	ColumnsPerStrip int // K: columns of a strip
	RowsPerBlock    int // B: rows an EDT sweeps, and values in a message
	Phases          int // W: blocks of rows in a timestep
	Timesteps       int // T: sweeps of the whole grid

	// Columns, if not 0, replaces P*K as the number of columns M. The first M mod P strips have one column more than the
	// others.
	Columns int

	Place Placement
	Form  Form

	// Channels makes each link of the ring one channel event, and each message a block of its own. In the seed's form each
	// message has a sticky event, and buffer blocks are reused. In the recorded form links are edges.
	Channels bool
}

// Defaults returns the seed's parameters and forms: a grid of 25 rows by 50 columns, swept 100 times by 8000 EDTs.
func Defaults() Config {
	return Config{
		Strips: 10, ColumnsPerStrip: 5, RowsPerBlock: 3, Phases: 8, Timesteps: 100,
		Place: PlaceBlock, Form: EDT,
	}
}

// GridRows returns N = B*W+1.
func (c Config) GridRows() int { return c.RowsPerBlock*c.Phases + 1 }

// GridColumns returns M: Columns if set, else P*K.
func (c Config) GridColumns() int {
	if c.Columns != 0 {
		return c.Columns
	}
	return c.Strips * c.ColumnsPerStrip
}

// Width returns the number of columns of a strip.
func (c Config) Width(strip int) int {
	width := c.GridColumns() / c.Strips
	if strip < c.GridColumns()%c.Strips {
		width++
	}
	return width
}

// FirstColumn returns the grid column at which a strip begins.
func (c Config) FirstColumn(strip int) int {
	columns := c.GridColumns()
	return strip*(columns/c.Strips) + min(strip, columns%c.Strips)
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

// SweepEDTs returns P*W*T: one EDT per strip, phase and timestep.
func (c Config) SweepEDTs() uint64 {
	return uint64(c.Strips) * uint64(c.Phases) * uint64(c.Timesteps)
}

// MemoryBytes returns an upper bound of the bytes that a run needs for its blocks.
func (c Config) MemoryBytes() float64 {
	// A strip has also a private block, a waiting EDT, events and records; a buffer also has its record.
	grid := pointSize * float64(c.GridRows()) * float64(c.GridColumns())
	buffers := float64(c.Phases) * (256 + pointSize*float64(c.RowsPerBlock))
	return 5*(grid/4+1+buffers/4+1) + 1024*float64(c.Strips) // sizes are rounded up by a quarter at most
}

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run: a parameter out of range, blocks
// that need more than memoryLimit bytes (0 is no limit), a strip larger than a data block can be, or a corner T*(N+M-2)
// that float64 does not hold exactly.
func (c Config) Validate(memoryLimit uint64) error {
	columns := trial.Range("columns-per-strip", c.ColumnsPerStrip, 1, maxParameter)
	if c.Columns != 0 {
		columns = trial.Range("columns", c.Columns, c.Strips, maxParameter)
	}
	if err := trial.First(appName,
		trial.Range("strips", c.Strips, 1, MaxStrips), columns,
		trial.Range("rows-per-block", c.RowsPerBlock, 1, maxParameter),
		trial.Range("phases", c.Phases, 1, maxParameter),
		trial.Range("timesteps", c.Timesteps, 1, maxParameter),
		trial.OneOf("place", c.Place, placements...), trial.OneOf("forms", c.Form, Forms()...),
		trial.Refuse(c.Form == EDTRecorded && c.Channels, "channels", true,
			"false with form edt-recorded, which links strips by edges")); err != nil {
		return err
	}
	if need := c.MemoryBytes(); memoryLimit != 0 && need > float64(memoryLimit) {
		return c.tooLarge(c.Strips, 0, fmt.Sprintf("the blocks need %s and the limit is %s",
			trial.Bytes(need), trial.Bytes(float64(memoryLimit))))
	}
	if need := pointSize * float64(c.GridRows()) * float64(c.Width(0)); need > datablock.MaxSize {
		return c.tooLarge(0, 0, fmt.Sprintf("a strip needs %s and the largest data block is %s",
			trial.Bytes(need), trial.Bytes(datablock.MaxSize)))
	}
	if float64(c.Timesteps)*float64(c.GridRows()+c.GridColumns()-2) >= exactLimit {
		return c.tooLarge(c.Strips, c.Timesteps, "the corner T*(N+M-2) would reach 2^53 and not be exact")
	}
	return nil
}

// tooLarge refuses the parameter with the greatest ratio to the seed's value. The numbers of strips and of timesteps
// are 0 if they have no part in the reason. If Columns is set it stands in for P*K.
func (c Config) tooLarge(strips, timesteps int, reason string) error {
	seed := Defaults()
	columns := trial.Parameter{Flag: "columns-per-strip", Value: c.ColumnsPerStrip, Usual: seed.ColumnsPerStrip}
	if c.Columns != 0 {
		strips, columns = 0, trial.Parameter{Flag: "columns", Value: c.Columns, Usual: seed.GridColumns()}
	}
	return trial.First(appName, trial.TooLarge(reason, columns,
		trial.Parameter{Flag: "strips", Value: strips, Usual: seed.Strips},
		trial.Parameter{Flag: "rows-per-block", Value: c.RowsPerBlock, Usual: seed.RowsPerBlock},
		trial.Parameter{Flag: "phases", Value: c.Phases, Usual: seed.Phases},
		trial.Parameter{Flag: "timesteps", Value: timesteps, Usual: seed.Timesteps}))
}
