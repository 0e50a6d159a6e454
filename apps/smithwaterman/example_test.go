package smithwaterman_test

import (
	"context"
	"fmt"

	"ocr/apps/smithwaterman"
	"ocr/runtime"
)

func Example() {
	cfg := smithwaterman.Config{Length: 300, Tile: 50, Differ: 0.1, Seed: 1}
	if err := cfg.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	app := smithwaterman.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(app.Result(), app.Verify())
	// Output: score 394 at letters 267 and 269 <nil>
}
