package runtime_test

import (
	"context"
	"fmt"
	"os"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// hereIs says on which rank it runs. It is a variable of the package, so all ranks have it.
var hereIs = edt.NewTemplate("hereIs", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
	fmt.Println("an EDT on rank", c.Self().Home())
	return guid.Null
})

// onEachWorker makes an EDT for each worker. Workers are numbered over all ranks.
func onEachWorker(c *edt.Ctx, _ edt.Args) guid.GUID {
	for w := range c.Workers() {
		c.NewEDTAt(c.Bind(w), hereIs, nil)
	}
	return guid.Null
}

// A program on two processes. In the second one Run does not return. (This is a test: its TestMain calls ServeIfRank.)
func ExampleRanks() {
	err := runtime.Run(context.Background(), onEachWorker, runtime.Ranks(2), runtime.Workers(1))
	fmt.Println(err)
	// Unordered output:
	// an EDT on rank 0
	// [1] an EDT on rank 1
	// <nil>
}

// A program whose main does much before its first run: what comes after ServeIfRank is done on rank 0 alone.
func ExampleServeIfRank() {
	runtime.ServeIfRank()
	fmt.Println("reads its input")
	err := runtime.Run(context.Background(), onEachWorker, runtime.Ranks(2), runtime.Workers(1))
	fmt.Println(err)
	// Unordered output:
	// reads its input
	// an EDT on rank 0
	// [1] an EDT on rank 1
	// <nil>
}

// Two runs on the same processes, with one worker each, and with two.
func ExampleStartJob() {
	job, err := runtime.StartJob(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	if !job.Direct() { // as in a build for the race detector
		fmt.Fprintln(os.Stderr, "blocks travel between the processes")
	}
	for workers := 1; workers <= 2; workers++ {
		var report runtime.Report
		err := runtime.Run(context.Background(), onEachWorker, job.Option(), runtime.Workers(workers), runtime.Into(&report))
		fmt.Println(report.Counters.EDTRun, "EDTs,", report.Ranks[1].Counters.EDTRun, "on rank 1:", err)
	}
	fmt.Println(job.Close())
	// Unordered output:
	// an EDT on rank 0
	// [1] an EDT on rank 1
	// 3 EDTs, 1 on rank 1: <nil>
	// an EDT on rank 0
	// an EDT on rank 0
	// [1] an EDT on rank 1
	// [1] an EDT on rank 1
	// 5 EDTs, 2 on rank 1: <nil>
	// <nil>
}

// Without mpirun a job is of one machine.
func ExampleMaxRanks() {
	fmt.Println(runtime.MaxRanks())
	// Output: 256
}
