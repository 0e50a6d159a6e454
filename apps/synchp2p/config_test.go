package synchp2p

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ocr/apps/trial"
)

func TestDefaultsAreTheSeeds(t *testing.T) {
	cfg := Defaults()
	if err := cfg.Validate(0); err != nil {
		t.Fatal(err)
	}
	if cfg.GridRows() != 25 || cfg.GridColumns() != 50 || cfg.Timesteps != 100 || cfg.Flops() != 2*49*24 {
		t.Errorf("defaults give %d rows, %d columns, %d timesteps, %v flop", cfg.GridRows(), cfg.GridColumns(), cfg.Timesteps, cfg.Flops())
	}
}

func TestColumnsAreSharedOut(t *testing.T) {
	for p := 1; p < 12; p++ {
		for columns := p; columns < 40; columns++ {
			cfg := Config{Ranks: p, Columns: columns}
			next := 0
			for rank := range p {
				width := columns / p
				if rank < columns%p {
					width++
				}
				if cfg.Width(rank) != width || cfg.FirstColumn(rank) != next {
					t.Fatalf("P=%d M=%d rank %d: %d columns from %d, want %d from %d",
						p, columns, rank, cfg.Width(rank), cfg.FirstColumn(rank), width, next)
				}
				next += width
			}
			if next != columns {
				t.Fatalf("P=%d M=%d: %d columns shared out", p, columns, next)
			}
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	with := func(change func(*Config)) Config {
		cfg := Defaults()
		change(&cfg)
		return cfg
	}
	const giB = 1 << 30
	for _, test := range []struct {
		cfg   Config
		limit uint64
		want  string
	}{
		{with(func(c *Config) { c.Ranks = 0 }), 0, "synch_p2p: -P 0 (strips): must be a whole number in 1..1048576"},
		{with(func(c *Config) { c.Ranks = 1<<20 + 1 }), 0, "synch_p2p: -P 1048577 (strips): must be a whole number in 1..1048576"},
		{with(func(c *Config) { c.ColumnsPerRank = -1 }), 0, "synch_p2p: -K -1 (columns per strip): must be a whole number in 1..2147483647"},
		{with(func(c *Config) { c.RowsPerBlock = 0 }), 0, "synch_p2p: -B 0 (rows per block): must be a whole number in 1..2147483647"},
		{with(func(c *Config) { c.Phases = 0 }), 0, "synch_p2p: -W 0 (phases per timestep): must be a whole number in 1..2147483647"},
		{with(func(c *Config) { c.Timesteps = -7 }), 0, "synch_p2p: -T -7 (timesteps): must be a whole number in 1..2147483647"},
		{with(func(c *Config) { c.Timesteps = math.MaxInt64 }), 0, "synch_p2p: -T 9223372036854775807 (timesteps): must be a whole number in 1..2147483647"},
		{with(func(c *Config) { c.Columns = 9 }), 0, "synch_p2p: --columns 9 (columns in all, P or more): must be a whole number in 10..2147483647"},
		{with(func(c *Config) { c.Columns = -1 }), 0, "synch_p2p: --columns -1 (columns in all, P or more): must be a whole number in 10..2147483647"},
		{with(func(c *Config) { c.Place = "far" }), 0, `synch_p2p: --place "far": must be block, cyclic, none`},
		{with(func(c *Config) { c.Events = "" }), 0, `synch_p2p: --events "": must be sticky, channel`},
		{with(func(c *Config) { c.Timesteps, c.Phases = 1<<31-1, 1<<25 }), 0,
			"synch_p2p: -T 2147483647 (timesteps): the corner T*(N+M-2) would reach 2^53 and not be exact: " +
				"must be less, the others being as they are"},
		{with(func(c *Config) { c.ColumnsPerRank = 100_000_000 }), giB,
			"synch_p2p: -K 100000000 (columns per strip): the blocks need 232.8 GiB and the limit is 1.0 GiB: " +
				"must be less, the others being as they are"},
		{with(func(c *Config) { c.ColumnsPerRank = 1 << 30 }), 0,
			"synch_p2p: -K 1073741824 (columns per strip): a strip needs 200.0 GiB and the largest data block is 128.0 GiB: " +
				"must be less, the others being as they are"},
		{with(func(c *Config) { c.ColumnsPerRank, c.RowsPerBlock = 1<<31-1, 1<<31-1 }), giB,
			"synch_p2p: -B 2147483647 (rows per block): the blocks need 16.0 EiB and the limit is 1.0 GiB: " +
				"must be less, the others being as they are"},
	} {
		err := test.cfg.Validate(test.limit)
		var bad *trial.ConfigError
		if !errors.As(err, &bad) {
			t.Errorf("%v: error %v, want %s", test.cfg, err, test.want)
			continue
		}
		if err.Error() != test.want {
			t.Errorf("%v:\n got %s\nwant %s", test.cfg, err, test.want)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: more than one line: %q", test.cfg, err)
		}
	}
}

// The largest value that fits is accepted, and one more is not.
func TestValidateLimitsAreTight(t *testing.T) {
	cfg := Defaults()
	cfg.Timesteps, cfg.Phases = 89478441, 1<<25
	if err := cfg.Validate(0); err != nil {
		t.Error(err)
	}
	cfg.Timesteps++
	if cfg.Validate(0) == nil {
		t.Errorf("%v is accepted", cfg)
	}
	cfg = Defaults()
	cfg.ColumnsPerRank = 429491
	if err := cfg.Validate(1 << 30); err != nil {
		t.Error(err)
	}
	cfg.ColumnsPerRank++
	if cfg.Validate(1<<30) == nil {
		t.Errorf("%v is accepted with 1 GiB", cfg)
	}
}

// With --columns, K is not in force and may be anything.
func TestColumnsReplaceK(t *testing.T) {
	cfg := Defaults()
	cfg.ColumnsPerRank, cfg.Columns = 0, 53
	if err := cfg.Validate(0); err != nil {
		t.Error(err)
	}
	if cfg.GridColumns() != 53 {
		t.Errorf("%d columns, want 53", cfg.GridColumns())
	}
}
