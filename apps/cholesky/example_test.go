package cholesky_test

import (
	"context"
	"fmt"

	"ocr/apps/cholesky"
	"ocr/runtime"
)

func Example() {
	cfg := cholesky.Config{Size: 100, Tile: 30}
	if err := cfg.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	app := cholesky.New(cfg)
	var report runtime.Report
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2), runtime.Into(&report)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Counters.EDTRun, "EDTs, error", app.Verify())
	// Output:
	// 35 EDTs, error <nil>
}
