package shmem_test

import (
	"testing"
	"time"

	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

func BenchmarkFlowPutPut(b *testing.B) {
	var start time.Time
	var elapsed time.Duration
	err := runtime.Run(b.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		w := shmem.NewWorld(c, shmem.Config{PEs: 2, Bytes: 256})
		warm := 10 + b.N/10
		w.Run(c, shmem.NewFlow("", func(_ *edt.Ctx, f *shmem.Flow) func(c *edt.Ctx) {
			var put *shmem.Step
			put = f.NewPut(func(c *edt.Ctx, op shmem.Op) {
				switch op.Tag {
				case 2 * warm:
					start = time.Now()
				case 2 * (warm + b.N):
					elapsed = time.Since(start)
					c.Shutdown()
					return
				}
				put.Notify(c, shmem.Op{Origin: op.Target, Target: op.Origin, Dst: 128, Bytes: 8, Tag: op.Tag + 1})
			})
			return func(c *edt.Ctx) {
				if f.Rank() == 0 {
					put.Start(c, shmem.Op{Origin: 0, Target: 1, Dst: 128, Bytes: 8}, guid.Null)
				}
			}
		}))
		return guid.Null
	}, runtime.Workers(2))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(elapsed.Nanoseconds())/float64(b.N), "ns/unit")
}
