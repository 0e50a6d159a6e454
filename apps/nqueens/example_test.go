package nqueens_test

import (
	"context"
	"fmt"

	"ocr/apps/nqueens"
	"ocr/runtime"
)

func Example() {
	cfg := nqueens.Config{N: 8, Cutoff: 2}
	if err := cfg.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	app := nqueens.New(cfg)
	var report runtime.Report
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2), runtime.Into(&report)); err != nil {
		fmt.Println(err)
		return
	}
	ways, unit := app.Work()
	fmt.Println(ways, unit, "by", report.Counters.EDTRun, "EDTs, error", app.Verify())
	// Output:
	// 92 solutions by 54 EDTs, error <nil>
}
