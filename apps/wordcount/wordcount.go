// Package wordcount counts the words of a compressed text: map and reduce behind a pipeline with back-pressure.
//
// One EDT after the other reads: it inflates a block of text, and creates the next EDT that reads. Each block has an
// EDT that counts its words, so the number of EDTs is known only when the text ends. Counting EDTs add to tables, one
// for each processor; at the end EDTs merge two tables into one until one is left.
//
// Channel events do all of the synchronisation:
//
//   - Free brings buffers, as many as [Config] has in Ahead. The reader takes one for each block: if it is so many
//     blocks ahead of counting, it waits for a buffer to come back. A buffer is a credit.
//   - Tables brings tables. A channel event gives tables to waiting EDTs in order of time, so EDTs that merge, which
//     the reader creates after the last block, get their tables after all EDTs that count. The result of a merge goes
//     the same way. So nothing else is needed to find the end of the counting.
//
// A word that crosses the end of a block is counted with the next one: the reader copies its beginning there. The text
// is one stream of package compress/flate, flushed at the end of each block. To go on, a reader needs only the last 32
// KiB of text. They are in a block, so the next EDT may run on any worker. Tables are flat too.
package wordcount

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

const appName = "wordcount"

// A Config describes a text, and how it is cut into blocks.
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

// Validate returns a [*trial.ConfigError] for the first value that is not allowed.
func (c Config) Validate() error {
	const maxText, maxBlocks = 1 << 30, 1 << 20
	least, most := trial.Parts(c.Text, maxBlocks), maxText/max(1, c.Block)
	return trial.First(appName,
		trial.Range("text", c.Text, 1, maxText),
		trial.Range("vocabulary", c.Vocabulary, 1, 1<<22),
		trial.Range("block", c.Block, 1, 1<<26),
		trial.Refuse(c.Block < least, "block", c.Block, fmt.Sprintf("%d or more, for at most %d blocks", least, maxBlocks)),
		trial.Range("ahead", c.Ahead, 1, 1<<10),
		trial.Refuse(c.Ahead > most, "ahead", c.Ahead,
			fmt.Sprintf("1..%d, for at most %s of buffers", most, trial.Bytes(maxText))),
	)
}

// blocks returns the number of blocks. words returns the greatest number of different words: the last word may be cut.
func (c Config) blocks() int { return trial.Parts(c.Text, c.Block) }
func (c Config) words() int  { return min(c.Vocabulary+1, c.Text/2+1) }

// An App is one text, and the counts of the latest run: a [trial.App].
type App struct {
	trial.Clock
	cfg    Config
	text   []byte
	stream []byte                   // the text, compressed
	want   func() map[string]uint64 // counted by package strings
	counts table
}

// New makes and compresses the text of a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	text := makeText(cfg)
	return &App{cfg: cfg, text: text, stream: pack(text, cfg.Block), counts: cfg.newTable(),
		want: sync.OnceValue(func() map[string]uint64 { return countWords(text) })}
}

func (c Config) newTable() table { return tableIn(make([]byte, tableBytes(c.words()))) }

// Work returns the number of bytes of the text.
func (a *App) Work() (amount float64, unit string) { return float64(len(a.text)), "bytes" }

// Main returns the main EDT, which copies the stream to a block.
func (a *App) Main() edt.Func {
	return a.Clock.Main(func(c *edt.Ctx) {
		stream, result := task.Of(c, a.stream...), task.Once[byte](c)
		stream.Release(c)
		trial.Take(c, &a.Clock, result, func(bytes []byte) { a.counts = tableIn(slices.Clone(bytes)) })
		a.Begin()
		start(c, a.cfg, stream, result)
	})
}

// Forms returns the forms without EDTs: one goroutine, and one for each worker.
func (a *App) Forms() []trial.Form { return trial.Forms(a.pooled) }

// pooled runs a goroutine for each worker, with a buffer and a table of its own. They read in turn, and each counts
// what it has read, so no goroutine waits for another to count.
func (a *App) pooled(ctx context.Context, workers int) error {
	var turn sync.Mutex // guards at, window, counts and failed
	var failed error
	at, window, counts := position{Left: a.cfg.blocks()}, make([]byte, windowBytes), a.cfg.newTable()
	read := func(buffer []byte) (words []byte, more bool) {
		turn.Lock()
		defer turn.Unlock()
		if failed != nil || at.Left == 0 || ctx.Err() != nil {
			return nil, false
		}
		from, to, err := at.next(a.stream, window, buffer)
		failed = err
		return buffer[from:to], err == nil
	}
	trial.Gang(workers, a.Begin, func(int) {
		buffer, own := make([]byte, bufferBytes(a.cfg.Block)), a.cfg.newTable()
		for words, more := read(buffer); more; words, more = read(buffer) {
			own.count(words)
		}
		turn.Lock()
		defer turn.Unlock()
		counts.merge(own)
	})
	if failed != nil {
		return failed
	}
	a.counts = counts
	return a.EndUnless(ctx)
}

// Verify compares the count of each word with a count by package strings and a map, in the text before its compression.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	want, got := a.want(), make(map[string]uint64)
	for _, s := range a.counts {
		switch word := s.word.String(); {
		case s.count == 0:
		case got[word] != 0:
			return trial.Wrong(appName, fmt.Sprintf("%q", word), "two counts", "one")
		default:
			got[word] = s.count
		}
	}
	for _, words := range []map[string]uint64{want, got} {
		for _, word := range slices.Sorted(maps.Keys(words)) {
			if got[word] != want[word] {
				return trial.Wrong(appName, fmt.Sprintf("%q", word), got[word], want[word])
			}
		}
	}
	return nil
}

func countWords(text []byte) map[string]uint64 {
	counts := make(map[string]uint64)
	for word := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		counts[word]++
	}
	return counts
}
