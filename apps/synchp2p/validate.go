package synchp2p

import (
	"fmt"
	"slices"
	"strings"

	"ocr/apps/size"
	"ocr/datablock"
)

// maxParameter bounds P, K, B, W, T and --columns; memory and exactness bound
// them further.
const maxParameter = 1<<31 - 1

// maxRanks bounds P: realmain takes two slots per rank.
const maxRanks = 1 << 20

// exactLimit is the first integer beyond which float64 skips values.
const exactLimit = 1 << 53

// ConfigError is a Config that Validate refuses: the parameter to change, the
// value it has and the values it may have.
type ConfigError struct {
	Flag    string // the seed's letter or the long name: "-P", "--columns"
	Meaning string // what the parameter counts
	Value   string // the value it has
	Allowed string // the values it may have, the others being as they are
	Reason  string // why, when it is not the plain range; may be empty
}

// Error returns one line that names flag, value and allowed range.
func (e *ConfigError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "synch_p2p: %s %s", e.Flag, e.Value)
	if e.Meaning != "" {
		fmt.Fprintf(&b, " (%s)", e.Meaning)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Reason)
	}
	fmt.Fprintf(&b, ": allowed %s", e.Allowed)
	return b.String()
}

// Validate reports as a *ConfigError the first thing about c that cannot run:
// a parameter out of range, a corner that would not be exact in float64
// (T*(N+M-2) reaches 2^53), a strip larger than a data block can be, or blocks
// that need more than memoryLimit bytes. A memoryLimit of 0 is no limit.
func (c Config) Validate(memoryLimit uint64) error {
	for _, p := range c.parameters() {
		if *p.value < p.low || *p.value > p.high {
			return &ConfigError{
				Flag: p.flag, Meaning: p.meaning, Value: fmt.Sprint(*p.value),
				Allowed: fmt.Sprintf("%d..%d", p.low, p.high),
			}
		}
	}
	if err := c.validateNames(); err != nil {
		return err
	}
	if memoryLimit != 0 && c.MemoryBytes() > memoryLimit {
		reason := fmt.Sprintf("the blocks need %s and the limit is %s",
			size.Text(c.MemoryBytes()), size.Text(memoryLimit))
		return c.tooLarge(reason, func(c Config) bool { return c.MemoryBytes() <= memoryLimit })
	}
	if c.stripBytes() > datablock.MaxSize {
		reason := fmt.Sprintf("a strip needs %s and the largest data block is %s",
			size.Text(c.stripBytes()), size.Text(datablock.MaxSize))
		return c.tooLarge(reason, func(c Config) bool { return c.stripBytes() <= datablock.MaxSize })
	}
	if !c.exact() {
		return c.tooLarge("the corner T*(N+M-2) would reach 2^53 and not be exact", Config.exact)
	}
	return nil
}

func (c Config) validateNames() error {
	if !slices.Contains(placements, c.Place) {
		return &ConfigError{Flag: "--place", Value: fmt.Sprintf("%q", c.Place), Allowed: "block, cyclic, none"}
	}
	if !slices.Contains(eventForms, c.Events) {
		return &ConfigError{Flag: "--events", Value: fmt.Sprintf("%q", c.Events), Allowed: "sticky, channel"}
	}
	return nil
}

// parameter is one count of a Config with its range and the seed's value.
type parameter struct {
	flag, meaning string
	value         *int
	low, high     int
	seed          int
}

// parameters lists the counts that are in force: --columns or K, not both.
func (c *Config) parameters() []parameter {
	seed := Defaults()
	list := []parameter{
		{"-P", "ranks", &c.Ranks, 1, maxRanks, seed.Ranks},
		{"-B", "rows per block", &c.RowsPerBlock, 1, maxParameter, seed.RowsPerBlock},
		{"-W", "phases per timestep", &c.Phases, 1, maxParameter, seed.Phases},
		{"-T", "timesteps", &c.Timesteps, 1, maxParameter, seed.Timesteps},
	}
	if c.Columns != 0 {
		low := min(max(c.Ranks, 1), maxRanks)
		return append(list, parameter{"--columns", "columns in all, P or more", &c.Columns, low, maxParameter, seed.GridColumns()})
	}
	return append(list, parameter{"-K", "columns per rank", &c.ColumnsPerRank, 1, maxParameter, seed.ColumnsPerRank})
}

// exact reports whether every value of the run is an integer below 2^53.
func (c Config) exact() bool {
	return size.Mul(uint64(c.Timesteps), c.rows()+c.columns()-2) < exactLimit
}

// tooLarge names the parameter that is the most times the seed's value, of
// those whose reduction alone can make the Config fit, and the largest value
// of it that fits.
func (c Config) tooLarge(reason string, fits func(Config) bool) error {
	var found *ConfigError
	worst := 0.0
	for i, p := range c.parameters() {
		largest, ok := c.largestFitting(i, fits)
		if factor := float64(*p.value) / float64(p.seed); ok && factor > worst {
			worst = factor
			found = &ConfigError{
				Flag: p.flag, Meaning: p.meaning, Value: fmt.Sprint(*p.value),
				Allowed: fmt.Sprintf("%d..%d with the other parameters as they are", p.low, largest), Reason: reason,
			}
		}
	}
	if found != nil {
		return found
	}
	return &ConfigError{
		Flag: "-P", Meaning: "ranks", Value: fmt.Sprint(c.Ranks), Reason: reason + " and no single parameter helps",
		Allowed: fmt.Sprintf("less, together with -K %d, -B %d, -W %d, -T %d", c.ColumnsPerRank, c.RowsPerBlock, c.Phases, c.Timesteps),
	}
}

// largestFitting returns the largest value of parameter number i below its
// present one at which c fits, by bisection; false if there is none.
func (c Config) largestFitting(i int, fits func(Config) bool) (int, bool) {
	p := c.parameters()[i]
	low, high := p.low, *p.value
	at := func(v int) bool {
		*p.value = v
		return fits(c)
	}
	if low >= high || !at(low) {
		return 0, false
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; at(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low, true
}
