package synchp2p

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
)

// Bounds of parameters; memory and exactness bound them further.
const (
	maxParameter = 1<<31 - 1
	maxRanks     = 1 << 20 // realmain takes two slots per rank
)

// exactLimit is the first integer beyond which float64 skips values.
const exactLimit = 1 << 53

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run:
// a parameter out of range, blocks that need more than memoryLimit bytes (0 is no
// limit), a strip larger than a data block can be, or a corner T*(N+M-2) that float64
// does not hold exactly.
func (c Config) Validate(memoryLimit uint64) error {
	for _, p := range c.parameters() {
		if p.value < p.low || p.value > p.high {
			return p.refuse("", fmt.Sprintf("a whole number in %d..%d", p.low, p.high))
		}
	}
	if err := trial.First(appName, trial.OneOf("place", c.Place, placements...), trial.OneOf("events", c.Events, eventForms...)); err != nil {
		return err
	}
	if need := c.MemoryBytes(); memoryLimit != 0 && need > memoryLimit {
		return c.tooLarge(fmt.Sprintf("the blocks need %s and the limit is %s", trial.Bytes(need), trial.Bytes(memoryLimit)))
	}
	if need := c.stripBytes(); need > datablock.MaxSize {
		return c.tooLarge(fmt.Sprintf("a strip needs %s and the largest data block is %s", trial.Bytes(need), trial.Bytes(datablock.MaxSize)))
	}
	if perTimestep := c.rows() + c.columns() - 2; trial.Mul(uint64(c.Timesteps), perTimestep) >= exactLimit {
		return c.tooLarge("the corner T*(N+M-2) would reach 2^53 and not be exact")
	}
	return nil
}

// parameter is one count of a Config with its range and the seed's value.
type parameter struct {
	flag, letter, about    string
	value, low, high, seed int
}

// parameters lists the counts that are in force: --columns or K, not both.
func (c Config) parameters() []parameter {
	seed := Defaults()
	list := []parameter{
		{"ranks", "P", "ranks", c.Ranks, 1, maxRanks, seed.Ranks},
		{"rows-per-block", "B", "rows per block", c.RowsPerBlock, 1, maxParameter, seed.RowsPerBlock},
		{"phases", "W", "phases per timestep", c.Phases, 1, maxParameter, seed.Phases},
		{"timesteps", "T", "timesteps", c.Timesteps, 1, maxParameter, seed.Timesteps},
	}
	if c.Columns != 0 {
		return append(list, parameter{"columns", "", "columns in all, P or more", c.Columns, min(max(c.Ranks, 1), maxRanks), maxParameter, seed.GridColumns()})
	}
	return append(list, parameter{"columns-per-rank", "K", "columns per rank", c.ColumnsPerRank, 1, maxParameter, seed.ColumnsPerRank})
}

func (p *parameter) refuse(reason, allowed string) error {
	return &trial.ConfigError{
		App: appName, Flag: p.flag, Letter: p.letter, About: p.about,
		Value: fmt.Sprint(p.value), Reason: reason, Allowed: allowed,
	}
}

// tooLarge refuses the parameter that is the most times the seed's value.
func (c Config) tooLarge(reason string) error {
	worst, most := parameter{}, 0.0
	for _, p := range c.parameters() {
		if times := float64(p.value) / float64(p.seed); times > most {
			worst, most = p, times
		}
	}
	return worst.refuse(reason, "less, the others being as they are")
}
