package synchp2p_test

import (
	"context"
	"fmt"

	"ocr/apps/synchp2p"
	"ocr/runtime"
)

func Example() {
	cfg := synchp2p.Defaults()
	if err := cfg.Validate(0); err != nil {
		fmt.Println(err)
		return
	}
	app := synchp2p.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
		return
	}
	result, err := app.Result()
	fmt.Println("checksum", result.Checksum, err)
	fmt.Println(cfg.SweepEDTs(), "sweep EDTs")
	// Output:
	// checksum 7300 <nil>
	// 8000 sweep EDTs
}
