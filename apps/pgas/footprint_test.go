package pgas

import "testing"

func TestFootprint(t *testing.T) {
	const slide = (slides - 1) * line
	with := func(test string, change func(c *Config)) Config {
		cfg := Defaults(test)
		change(&cfg)
		return cfg
	}
	for _, test := range []struct {
		cfg       Config
		low, high int
	}{
		{with("sync", func(*Config) {}), 0, 0},
		{with("line", func(*Config) {}), 0, 0},
		{with("putbw", func(c *Config) { c.Bytes = 8 }), 2*line + slide, 2*line + slide},
		{with("putbw", func(c *Config) { c.Bytes = 16 << 10 }), 32<<10 + slide, 32<<10 + slide},
		{with("putget", func(c *Config) { c.Bytes = 16 << 10 }), 48<<10 + slide, 48<<10 + slide},
		{with("putput", func(c *Config) { c.Bytes, c.Sync = 4096, Flag }), 8192, 8192},
		{with("putbw", func(c *Config) { c.Bytes, c.Stream, c.L2Bytes = 4096, true, 1<<20 }), 8<<20 + slide, 8<<20 + slide},
		{with("stridedput", func(c *Config) { c.Bytes, c.Stride = 4096, 4 }), 5*4096 - 64 + slide, 5*4096 + slide},
		{with("stridedput", func(c *Config) { c.Bytes, c.Stride = 4096, 32 }), 17*4096 + slide, 17*4096 + slide},
		{with("stridedget", func(c *Config) { c.Bytes, c.Stride, c.Strided = 4096, 32, AtOrigin }), 17*4096 + slide, 17*4096 + slide},
		{with("reduce", func(c *Config) { c.Bytes = 4096 }), 8192 + slide, 8192 + slide},
		{with("reduceinplace", func(c *Config) { c.Bytes = 4096 }), 4096, 4096},
		{with("randomput", func(c *Config) { c.Bytes = 8 }), leastRegion * 9 / 10, leastRegion + 2*line + slide},
		{with("randomput", func(c *Config) { c.Bytes, c.PEs = 8, 8 }), 2 * leastRegion, 64 << 10 * line},
		{with("randomget", func(c *Config) { c.Bytes = 8 }), leastRegion * 9 / 10, leastRegion + 128*line},
	} {
		if got := test.cfg.Footprint(); got < test.low || got > test.high || got%line != 0 {
			t.Errorf("%s: %d bytes, want %d to %d", name(test.cfg), got, test.low, test.high)
		}
	}
}
