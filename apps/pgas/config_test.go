package pgas

import (
	"testing"

	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// Small messages fit the segments of the most PEs.
func TestValidateAcceptsManyPEs(t *testing.T) {
	for _, test := range tests {
		cfg := Defaults(test.Name)
		cfg.Bytes, cfg.PEs = 8, shmem.MaxPEs
		testrun.OK(t, cfg.Validate())
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		test, want string
		change     func(*Config)
	}{
		{"putput", `pgas: --tests "nosuch": must be putget, putput, getget, putbw, getbw, putbibw, getbibw, ` +
			`stridedput, stridedget, randomput, randomget, reduce, reduceinplace`, func(c *Config) { c.Test = "nosuch" }},
		{"putput", "pgas: --forms \"mpi\": must be direct, edt", func(c *Config) { c.Form = "mpi" }},
		{"putput", "pgas: --pes 0: must be 1..512", func(c *Config) { c.PEs = 0 }},
		{"putput", "pgas: --pes 3: PEs work in pairs: must be even numbers", func(c *Config) { c.PEs = 3 }},
		{"putput", "pgas: --sizes 0: must be 1..1073741824", func(c *Config) { c.Bytes = 0 }},
		{"reduce", "pgas: --sizes 6: elements have 4 bytes: must be multiples of 4", func(c *Config) { c.Bytes = 6 }},
		{"putput", "pgas: --iters 0: must be 1..1099511627776", func(c *Config) { c.Iterations = 0 }},
		{"stridedput", "pgas: --strides 0: must be 1..1048576", func(c *Config) { c.Stride = 0 }},
		{"getget", "pgas: --sync \"flag\": must be p2p", func(c *Config) { c.Sync = Flag }},
		{"putput", "pgas: --sync flag: an EDT does not poll: the edt form has no flag in the data: must be p2p",
			func(c *Config) { c.Sync, c.Form = Flag, EDT }},
		{"putput", "pgas: --sizes 12: the flag is the message's last word of 8 bytes: must be multiples of 8",
			func(c *Config) { c.Sync, c.Bytes = Flag, 12 }},
		{"putbw", "pgas: --sizes 67108864: the test needs a segment of 134218304 bytes and has 67108864: must be less",
			func(c *Config) { c.Bytes = 64 << 20 }},
	} {
		cfg := Defaults(c.test)
		c.change(&cfg)
		testrun.Same(t, c.want, testrun.As[*trial.ConfigError](t, cfg.Validate(), "%s", c.want).Error(), "%s", c.test)
	}
}
