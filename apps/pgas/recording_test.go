package pgas

import (
	"sync/atomic"
	"testing"

	"ocr/apps/shmem"
)

// counts are a world's calls of puts and flushes.
type counts struct{ puts, strided, flushes atomic.Int64 }

type counting struct {
	shmem.Transport
	*counts
}

func (c counting) Put(to, dst int, src []byte) {
	c.puts.Add(1)
	c.Transport.Put(to, dst, src)
}

func (c counting) PutStrided(to, dst int, src []byte, n, width int, s shmem.Strides) {
	c.strided.Add(1)
	c.Transport.PutStrided(to, dst, src, n, width, s)
}

func (c counting) Flush() {
	c.flushes.Add(1)
	c.Transport.Flush()
}

// Each iteration has its put, and each put its quiet: two runs differ by what the iterations between
// them do, 320 of one timing PE and 32 of its warm-up.
func TestOperationsOfAnIteration(t *testing.T) {
	for _, test := range []struct {
		test                   string
		puts, strided, flushes float64 // by iteration
	}{
		{"putbw", 1, 0, 1},
		{"putget", 1, 0, 1},
		{"stridedput", 0, 1, 1},
		{"putbibw", 2, 0, 2},
		{"randomput", 2, 0, 2},
	} {
		var of [2]counts
		for k := range of {
			cfg := Defaults(test.test)
			cfg.Bytes, cfg.MaxTime, cfg.Iterations = 64, 0, 320*(k+1)
			cfg.transport = func(s shmem.Site) shmem.Transport { return counting{shmem.NewMemory(s), &of[k]} }
			if _, err := runTest(t, cfg); err != nil {
				t.Fatalf("%s: %v", name(cfg), err)
			}
		}
		more := func(c func(*counts) *atomic.Int64) float64 {
			return float64(c(&of[1]).Load()-c(&of[0]).Load()) / (320 + 32)
		}
		puts := more(func(c *counts) *atomic.Int64 { return &c.puts })
		strided := more(func(c *counts) *atomic.Int64 { return &c.strided })
		flushes := more(func(c *counts) *atomic.Int64 { return &c.flushes })
		if puts != test.puts || strided != test.strided || flushes != test.flushes {
			t.Errorf("%s: %v puts, %v strided, %v quiets an iteration", test.test, puts, strided, flushes)
		}
	}
}
