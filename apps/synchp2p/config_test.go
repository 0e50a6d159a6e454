package synchp2p

import (
	"testing"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

func TestDefaultsAreTheSeeds(t *testing.T) {
	cfg := Defaults()
	testrun.OK(t, cfg.Validate(0))
	if cfg.GridRows() != 25 || cfg.GridColumns() != 50 || cfg.Timesteps != 100 || cfg.Flops() != 2*49*24 {
		t.Errorf("defaults give %d rows, %d columns, %d timesteps, %v flop", cfg.GridRows(), cfg.GridColumns(),
			cfg.Timesteps, cfg.Flops())
	}
}

func TestValidateRefuses(t *testing.T) {
	const (
		giB    = 1 << 30
		number = ": must be "
		less   = ": must be less, with the other flags as they are"
	)
	for _, test := range []struct {
		change func(*Config)
		limit  uint64
		want   string
	}{
		{func(c *Config) { c.Strips = 0 }, 0, "--strips 0" + number + "1..1048576"},
		{func(c *Config) { c.Strips = 1<<20 + 1 }, 0, "--strips 1048577" + number + "1..1048576"},
		{func(c *Config) { c.ColumnsPerStrip = -1 }, 0, "--columns-per-strip -1" + number + "1..2147483647"},
		{func(c *Config) { c.RowsPerBlock = 0 }, 0, "--rows-per-block 0" + number + "1..2147483647"},
		{func(c *Config) { c.Phases = 0 }, 0, "--phases 0" + number + "1..2147483647"},
		{func(c *Config) { c.Timesteps = -7 }, 0, "--timesteps -7" + number + "1..2147483647"},
		{func(c *Config) { c.Timesteps = 1<<63 - 1 }, 0, "--timesteps 9223372036854775807" +
			number + "1..2147483647"},
		{func(c *Config) { c.Columns = 9 }, 0, "--columns 9" + number + "10..2147483647"},
		{func(c *Config) { c.Columns = -1 }, 0, "--columns -1" + number + "10..2147483647"},
		{func(c *Config) { c.Place = "far" }, 0, `--place "far": must be block, cyclic, none`},
		{func(c *Config) { c.Channels, c.Form = true, EDTRecorded }, 0,
			"--channels true: must be false with form edt-recorded, which links strips by edges"},
		{func(c *Config) { c.Timesteps, c.Phases = 1<<31-1, 1<<25 }, 0,
			"--timesteps 2147483647: the corner T*(N+M-2) would reach 2^53 and not be exact" + less},
		{func(c *Config) { c.ColumnsPerStrip = 100_000_000 }, giB,
			"--columns-per-strip 100000000: the blocks need 232.8 GiB and the limit is 1.0 GiB" + less},
		{func(c *Config) { c.Timesteps, c.Strips, c.ColumnsPerStrip, c.Phases = 1_000_000, 1000, 10_000, 1000 }, giB,
			"--columns-per-strip 10000: the blocks need 279.5 GiB and the limit is 1.0 GiB" + less},
		{func(c *Config) { c.Strips, c.Columns, c.RowsPerBlock, c.Phases = 20_000, 20_000, 1000, 1000 }, giB,
			"--columns 20000: the blocks need 186.3 GiB and the limit is 1.0 GiB" + less},
		{func(c *Config) { c.ColumnsPerStrip = 1 << 30 }, 0, "--columns-per-strip 1073741824: " +
			"a strip needs 200.0 GiB and the largest data block is 128.0 GiB" + less},
		{func(c *Config) { c.ColumnsPerStrip, c.RowsPerBlock = 1<<31-1, 1<<31-1 }, giB,
			"--rows-per-block 2147483647: the blocks need 3200.0 EiB and the limit is 1.0 GiB" + less},
	} {
		cfg := Defaults()
		test.change(&cfg)
		err := testrun.As[*trial.ConfigError](t, cfg.Validate(test.limit), "%s", test.want)
		testrun.Same(t, "synch_p2p: "+test.want, err.Error(), "%v", cfg)
	}
}

// Validate accepts the largest value of a parameter, and refuses the next.
func TestValidateLimitsAreTight(t *testing.T) {
	long, wide := Defaults(), Defaults()
	long.Timesteps, long.Phases = 89478441, 1<<25
	wide.ColumnsPerStrip = 429491
	testrun.OK(t, long.Validate(0))
	testrun.OK(t, wide.Validate(1<<30))
	long.Timesteps++
	wide.ColumnsPerStrip++
	testrun.Fails(t, long.Validate(0), "the corner T*(N+M-2) would reach 2^53")
	testrun.Fails(t, wide.Validate(1<<30), "the blocks need 1.0 GiB and the limit is 1.0 GiB")
}
