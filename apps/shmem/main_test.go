package shmem_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onPEs runs body on every PE of a world of its own and reports how the run ended.
func onPEs(ctx context.Context, workers int, cfg shmem.Config, body func(pe *shmem.PE), opts ...runtime.Option) error {
	return runtime.Run(ctx, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		w := shmem.NewWorld(c, cfg)
		ended := w.Run(c, shmem.NewProgram("", func(_ *edt.Ctx, pe *shmem.PE) { body(pe) }))
		var end *edt.Template
		end = c.NewTemplate("end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			w.Destroy(c)
			c.DestroyTemplate(end)
			c.Shutdown()
			return guid.Null
		})
		c.NewEDT(end, nil, edt.From(ended, datablock.Null))
		return guid.Null
	}, append(opts, runtime.Workers(workers))...)
}

// kinds are the worlds that tests run in: with all windows in memory, and with those of others behind one-sided
// operations.
var kinds = map[string]func(cfg shmem.Config) shmem.Config{
	"memory":  func(cfg shmem.Config) shmem.Config { return cfg },
	"windows": lazily,
}

// eachWorld runs body on worlds of 1 to 8 PEs of each kind, and checks that nothing is left of them.
func eachWorld(t *testing.T, bytes int, body func(t *testing.T, pe *shmem.PE)) {
	for kind, of := range kinds {
		for _, pes := range []int{1, 2, 3, 4, 5, 7, 8} {
			var report runtime.Report
			cfg := of(shmem.Config{PEs: pes, Bytes: bytes, Done: t.Context().Done()})
			err := onPEs(t.Context(), pes, cfg, func(pe *shmem.PE) { body(t, pe) }, runtime.Into(&report),
				runtime.LeakReport())
			if err != nil {
				t.Errorf("%s, %d PEs: %v", kind, pes, err)
			}
			for _, leak := range report.Leaks {
				t.Errorf("%s, %d PEs: leak: %v", kind, pes, leak)
			}
		}
	}
}

// rounds is how often a test goes round.
func rounds(full int) int {
	return testrun.Sized(full/10, full/5, 10*full)
}
