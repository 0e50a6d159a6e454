package wordcount

import (
	"fmt"

	"ocr/apps/trial"
)

const appName = "wordcount"

// A Config describes one text, and how it is cut.
type Config struct {
	Text       int    `flag:"text" short:"n" usage:"bytes of text"`
	Vocabulary int    `flag:"vocabulary" usage:"different words that the text is made of"`
	Seed       uint64 `flag:"seed" usage:"another text for another seed"`
	Block      int    `flag:"block" short:"b" usage:"bytes of text that one EDT counts"`
	Ahead      int    `flag:"ahead" usage:"blocks that reading may be ahead of counting"`
}

// Defaults returns 256 blocks of 64 KiB.
func Defaults() Config {
	return Config{Text: 16 << 20, Vocabulary: 20_000, Seed: 1, Block: 64 << 10, Ahead: 4}
}

const (
	maxText   = 1 << 30 // a count has 32 bits
	maxBlocks = 1 << 20
	maxAhead  = 1 << 10
)

// Validate reports the first value that cannot be as it is, as a [*trial.ConfigError].
func (c Config) Validate() error {
	least := ceil(c.Text, maxBlocks)
	most := maxText / max(1, c.Block)
	return trial.First(appName,
		trial.Range("text", c.Text, 1, maxText),
		trial.Range("vocabulary", c.Vocabulary, 1, 1<<22),
		trial.Range("block", c.Block, 1, 1<<26),
		trial.Refuse(c.Block < least, "block", c.Block, fmt.Sprintf("%d or more, for at most %d blocks", least, maxBlocks)),
		trial.Range("ahead", c.Ahead, 1, maxAhead),
		trial.Refuse(c.Ahead > most, "ahead", c.Ahead,
			fmt.Sprintf("1..%d, for at most %s of buffers", most, trial.Bytes(maxText))),
	)
}

// blocks is how many the text is cut into.
func (c Config) blocks() int { return ceil(c.Text, c.Block) }

func ceil(a, b int) int { return (a + b - 1) / b }
