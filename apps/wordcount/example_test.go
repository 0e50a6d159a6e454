package wordcount_test

import (
	"context"
	"fmt"

	"ocr/apps/wordcount"
	"ocr/runtime"
)

func Example() {
	cfg := wordcount.Config{Text: 100_000, Vocabulary: 1000, Seed: 1, Block: 4096, Ahead: 3}
	if err := cfg.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	app := wordcount.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(app.Verify())
	words, different := app.Total()
	fmt.Println(words, "words,", different, "different")
	// Output:
	// <nil>
	// 10683 words, 931 different
}
