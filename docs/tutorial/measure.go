//go:build ignore

// Command measure times an EDT that goes on, with two sets of options.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

const n = 100_000

var step = task.Declare0[int]("measure.step")

var _ = step.Body(func(c *edt.Ctx, k int) {
	if k < n {
		step.Again(c, k+1)
	}
})

func main() {
	for _, options := range [][]runtime.Option{
		{runtime.Workers(1)},
		{runtime.Workers(2), runtime.Bind(runtime.BindNone), runtime.Spin(0)},
	} {
		var report runtime.Report
		start := task.Main(func(c *edt.Ctx) { step.New(c, 1) })
		if err := runtime.Run(context.Background(), start, append(options, runtime.Into(&report))...); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d workers, pinned %v: %.0f ns an EDT\n", report.Workers, report.Pinned, float64(report.Elapsed)/n)
	}
}
