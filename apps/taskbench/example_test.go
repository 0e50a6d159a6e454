package taskbench_test

import (
	"context"
	"fmt"

	"ocr/apps/taskbench"
	"ocr/runtime"
)

func Example() {
	cfg := taskbench.Defaults()
	cfg.Graphs[0].Type, cfg.Graphs[0].Width, cfg.Graphs[0].Steps = taskbench.Stencil1D, 8, 1000
	if err := cfg.Validate(1 << 30); err != nil {
		fmt.Println(err)
		return
	}
	app := taskbench.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
		return
	}
	result, err := app.Result()
	if err != nil {
		fmt.Println(err)
		return
	}
	totals, err := cfg.Totals(context.Background())
	fmt.Println(totals.Tasks, totals.Dependencies, result.Elapsed > 0, err)
	// Output: 8000 21978 true <nil>
}
