package synchp2p

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
)

const (
	appName = "synch_p2p" // in errors

	maxParameter = 1<<31 - 1 // memory and exactness bound parameters further
	maxRanks     = 1 << 20   // realmain takes two slots a rank
	exactLimit   = 1 << 53   // the first integer beyond which float64 skips values
)

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run: a parameter out of range,
// blocks that need more than memoryLimit bytes (0 is no limit), a strip larger than a data block can be, or a corner
// T*(N+M-2) that float64 does not hold exactly.
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
			e.Letter, e.About = p.Letter, p.About
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

// parameters lists the counts that are in force, with the seed's values: --columns or K, not both.
func (c Config) parameters() []trial.Parameter {
	seed := Defaults()
	columns := trial.Parameter{Flag: "columns-per-strip", Letter: "K", About: "columns per strip"}
	columns.Value, columns.Usual = c.ColumnsPerRank, seed.ColumnsPerRank
	if c.Columns != 0 {
		columns = trial.Parameter{Flag: "columns", About: "columns in all, P or more"}
		columns.Value, columns.Usual = c.Columns, seed.GridColumns()
	}
	return []trial.Parameter{
		{Flag: "strips", Letter: "P", About: "strips", Value: c.Ranks, Usual: seed.Ranks},
		{Flag: "rows-per-block", Letter: "B", About: "rows per block", Value: c.RowsPerBlock, Usual: seed.RowsPerBlock},
		{Flag: "phases", Letter: "W", About: "phases per timestep", Value: c.Phases, Usual: seed.Phases},
		{Flag: "timesteps", Letter: "T", About: "timesteps", Value: c.Timesteps, Usual: seed.Timesteps},
		columns,
	}
}

// tooLarge refuses the largest of them, beside the seed's.
func (c Config) tooLarge(reason string) error {
	return trial.First(appName, trial.TooLarge(reason, c.parameters()...))
}
