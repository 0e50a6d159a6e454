package uts_test

import (
	"context"
	"fmt"

	"ocr/apps/uts"
	"ocr/runtime"
)

func Example() {
	cfg := uts.Defaults()
	cfg.Depth = 6
	app := uts.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(app.Found(), app.Verify())
	// Output: 16000 nodes, 12839 leaves, depth 6 <nil>
}
