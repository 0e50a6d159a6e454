package wordcount

import (
	"errors"
	"strings"
	"testing"

	"ocr/apps/trial"
)

func TestRefusals(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(c *Config){
		"--text 0: must be 1..1073741824":                             func(c *Config) { c.Text = 0 },
		"--text 1073741825: must be 1..1073741824":                    func(c *Config) { c.Text = 1<<30 + 1 },
		"--vocabulary 0: must be 1..4194304":                          func(c *Config) { c.Vocabulary = 0 },
		"--block 0: must be 1..67108864":                              func(c *Config) { c.Block = 0 },
		"--block 8: must be 1024 or more, for at most 1048576 blocks": func(c *Config) { c.Text, c.Block = 1<<30, 8 },
		"--ahead 0: must be 1..1024":                                  func(c *Config) { c.Ahead = 0 },
		"--ahead 17: must be 1..16, for at most 1.0 GiB of buffers":   func(c *Config) { c.Block, c.Ahead = 1<<26, 17 },
	} {
		c := Defaults()
		change(&c)
		var refused *trial.ConfigError
		if err := c.Validate(); !errors.As(err, &refused) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}
