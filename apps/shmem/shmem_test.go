package shmem_test

import (
	"bytes"
	"context"
	"errors"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run runs a program on workers of its own and returns the error of the run.
func run(ctx context.Context, cfg shmem.Config, p *shmem.Program, opts ...runtime.Option) error {
	return runtime.Run(ctx, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		shmem.Run(c, cfg, p)
		return guid.Null
	}, append(opts, runtime.Workers(cfg.PEs))...)
}

// kinds are the kinds of windows: blocks of one memory, and one-sided operations.
var kinds = map[string]func(cfg shmem.Config) shmem.Config{
	"memory":  func(cfg shmem.Config) shmem.Config { return cfg },
	"windows": lazily,
}

// each runs a program on 1 to 8 PEs with windows of each kind, and checks that nothing is left.
func each(t *testing.T, bytes int, p *shmem.Program) {
	t.Helper()
	for kind, of := range kinds {
		for _, pes := range []int{1, 2, 3, 4, 5, 8} {
			var report runtime.Report
			cfg := of(shmem.Config{PEs: pes, Bytes: bytes, Done: t.Context().Done()})
			testrun.OK(t, run(t.Context(), cfg, p, runtime.Into(&report), runtime.LeakReport()), "%s, %d PEs", kind, pes)
			testrun.Equal(t, 0, len(report.Leaks), "%s, %d PEs: leaks %v", kind, pes, report.Leaks)
		}
	}
}

// message returns n bytes that differ by sender and round.
func message(n, pe, round int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(7*i + 31*pe + 101*round)
	}
	return b
}

func rounds() int { return testrun.Sized(20, 40, 2000) }

// After a barrier a PE finds, and other PEs get, what was put before.
func TestPutBarrierGet(t *testing.T) {
	each(t, 512, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		me, n := pe.Rank(), pe.Size()
		for round := range rounds() {
			for _, length := range []int{8, 100} {
				pe.Put((me+1)%n, 8, message(length, me, round))
				pe.Barrier()
				got := make([]byte, length)
				pe.Get(got, (me+1)%n, 8)
				from := (me + n - 1) % n
				if !bytes.Equal(got, message(length, me, round)) ||
					!bytes.Equal(pe.Segment()[8:][:length], message(length, from, round)) {
					t.Errorf("%d PEs, round %d: PE %d has not got %d bytes", n, round, me, length)
				}
				pe.Barrier()
			}
		}
	}))
}

// Notifications count: several may be on their way, and puts arrive before them.
func TestNotifyWaitCounts(t *testing.T) {
	each(t, 2000, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		me, n := pe.Rank(), pe.Size()
		to, from := (me+1)%n, (me+n-1)%n
		for round := range rounds() {
			for k := range 3 {
				pe.Put(to, 100*k, message(100, me, round+k))
				pe.Notify(to)
			}
			for k := range 3 {
				if pe.Wait(from); !bytes.Equal(pe.Segment()[100*k:][:100], message(100, from, round+k)) {
					t.Errorf("%d PEs, round %d: PE %d: message %d is not there", n, round, me, k)
				}
			}
			pe.Barrier()
		}
	}))
}

// A flag arrives after its message.
func TestFlags(t *testing.T) {
	each(t, 256, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		me, n := pe.Rank(), pe.Size()
		for round := range rounds() {
			pe.PutFlag((me+1)%n, 16, message(96, me, round), uint64(round+1))
			if pe.WaitFlag(112, uint64(round+1)); !bytes.Equal(pe.Segment()[16:112], message(96, (me+n-1)%n, round)) {
				t.Errorf("%d PEs, round %d: PE %d: the message is not there", n, round, me)
			}
			pe.Barrier()
		}
	}))
}

// Strided transfers, compared with a loop over elements; they do not write what lies between.
func TestStrided(t *testing.T) {
	const count, end = 10, 1024
	each(t, 2*end, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		me, n := pe.Rank(), pe.Size()
		to, from := (me+1)%n, (me+n-1)%n
		for stride := 1; stride < 5; stride++ {
			copy(pe.Segment(), message(2*end, 0, stride))
			pe.Barrier()
			pe.PutStrided(to, 64, message(4*count, me, 0), stride)
			pe.Barrier()
			want := message(2*end, 0, stride)
			for i := range count {
				copy(want[64+4*i*stride:], message(4*count, from, 0)[4*i:][:4])
			}
			got := make([]byte, 4*count)
			pe.GetStrided(got, to, 64, stride)
			if !bytes.Equal(pe.Segment()[:2*end], want) || !bytes.Equal(got, message(4*count, me, 0)) {
				t.Errorf("%d PEs, stride %d: PE %d has other bytes", n, stride, me)
			}
			pe.Barrier()
		}
	}))
}

// sumCounts are numbers of elements on both sides of every threshold.
var sumCounts = []int{1, 14, 15, 64, 65, 1000, 2048*8 + 3}

// setOperands writes the n operands of PE pe, (pe+1)(j mod 9 + round), and checkSum checks their sum over all PEs.
func setOperands(b []byte, pe, n, round int) {
	for j, words := 0, datablock.SliceOf[int32](b[:4*n]); j < n; j++ {
		words[j] = int32((pe + 1) * (j%9 + round))
	}
}

func checkSum(t *testing.T, b []byte, pes, n, round int) {
	t.Helper()
	for j, words := 0, datablock.SliceOf[int32](b[:4*n]); j < n; j++ {
		if want := int32(pes * (pes + 1) / 2 * (j%9 + round)); words[j] != want {
			t.Errorf("%d PEs, round %d: element %d of %d is %d, expected %d", pes, round, j, n, words[j], want)
			return
		}
	}
}

const sumTarget = 1 << 17

// Sums of all sizes, apart and in place, in both forms, one after the other.
func TestSumToAll(t *testing.T) {
	each(t, 2*sumTarget, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		for round, n := range append(sumCounts, sumCounts...) {
			target := sumTarget * (round % 2)
			setOperands(pe.Segment(), pe.Rank(), n, round)
			pe.SumToAll(target, 0, n)
			checkSum(t, pe.Segment()[target:], pe.Size(), n, round)
		}
	}))
	each(t, 2*sumTarget, shmem.InFlow(func(c *edt.Ctx, f *shmem.Flow) {
		all := append(sumCounts, sumCounts...)
		round, pes := 0, c.Workers()
		target := func() int { return sumTarget * (round % 2) }
		var set, check *shmem.Step
		set = f.NewStep(func(pe *shmem.PE) { setOperands(pe.Segment(), pe.Rank(), all[round], round) }, func(c *edt.Ctx) {
			f.SumToAll(c, target(), 0, all[round], func(c *edt.Ctx) { check.Start(c, f.Rank()) })
		})
		check = f.NewStep(func(pe *shmem.PE) { checkSum(t, pe.Segment()[target():], pes, all[round], round) },
			func(c *edt.Ctx) {
				if round++; round == len(all) {
					f.End(c)
				} else {
					set.Start(c, f.Rank())
				}
			})
		set.Start(c, f.Rank())
	}))
}

// In the graph form each PE puts to the next, notifies it, and waits for the one before; it checks what has arrived,
// and gets back what it has put. The step after a notification is part of its EDT if it uses the same two segments, and
// else a new EDT.
func TestFlow(t *testing.T) {
	each(t, 512, shmem.InFlow(func(c *edt.Ctx, f *shmem.Flow) {
		n, me, round := c.Workers(), f.Rank(), 0
		to, from := (me+1)%n, (me+n-1)%n
		var put, check *shmem.Step
		put = f.NewStep(func(pe *shmem.PE) { pe.Put(to, 8, message(100, me, round)) }, func(c *edt.Ctx) {
			f.Notify(c, to)
			f.Wait(c, func(c *edt.Ctx) { check.Start(c, []int{from, to, me}[round%3]) })
		})
		check = f.NewStep(func(pe *shmem.PE) {
			got := message(100, me, round)
			if round%3 == 1 {
				pe.Get(got, to, 8)
			}
			if !bytes.Equal(pe.Segment()[8:108], message(100, from, round)) || !bytes.Equal(got, message(100, me, round)) {
				t.Errorf("%d PEs, round %d: PE %d has other bytes", n, round, me)
			}
		}, func(c *edt.Ctx) {
			f.Barrier(c, func(c *edt.Ctx) {
				if round++; round == rounds() {
					f.End(c)
				} else {
					put.Start(c, to)
				}
			})
		})
		put.Start(c, to)
	}))
}

// No PE leaves a barrier before all have entered it, in both forms.
func TestBarriers(t *testing.T) {
	var entered atomic.Int64
	look := func(n, round int) {
		if got := entered.Load(); got < int64(n*(round+1)) {
			t.Errorf("%d PEs, round %d: left when %d had entered", n, round, got)
		}
	}
	direct := shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		for round := range rounds() {
			entered.Add(1)
			pe.Barrier()
			look(pe.Size(), round)
		}
	})
	flow := shmem.InFlow(func(c *edt.Ctx, f *shmem.Flow) {
		n, round := c.Workers(), 0
		var pass func(c *edt.Ctx)
		pass = func(c *edt.Ctx) {
			if look(n, round); round == rounds() {
				f.End(c)
				return
			}
			round++
			entered.Add(1)
			f.Barrier(c, pass)
		}
		entered.Add(1)
		f.Barrier(c, pass)
	})
	for _, p := range []*shmem.Program{direct, flow} {
		for _, pes := range []int{1, 2, 3, 8} {
			entered.Store(0)
			testrun.OK(t, run(t.Context(), shmem.Config{PEs: pes, Bytes: 8}, p))
		}
	}
}

// When all PEs have ended, End receives the segment of PE 0, with all that was put there, although no PE has called
// Quiet.
func TestEnd(t *testing.T) {
	p := shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) { pe.Put(0, 8*pe.Rank(), message(8, pe.Rank(), len(pe.Arg()))) })
	for kind, of := range kinds {
		ends := 0
		cfg := of(shmem.Config{PEs: 3, Bytes: 24, Arg: []byte("argument")})
		cfg.End = func(segment []byte) {
			for pe := range 3 {
				if !bytes.Equal(segment[8*pe:][:8], message(8, pe, 8)) {
					t.Errorf("%s: PE %d has put nothing", kind, pe)
				}
			}
			ends++
		}
		testrun.OK(t, run(t.Context(), cfg, p))
		testrun.Same(t, 1, ends, "%s: ends", kind)
	}
}

// A PE that fails ends the run with its error, and stops the PEs that would wait for it for ever.
func TestFailureStopsAll(t *testing.T) {
	oops := errors.New("oops")
	for kind, of := range kinds {
		for name, fail := range map[string]func(pe *shmem.PE){
			"oops":                   func(*shmem.PE) { panic(oops) },
			"slice bounds":           func(pe *shmem.PE) { pe.Put(1, 60, make([]byte, 8)) },
			"of a segment of 64":     func(pe *shmem.PE) { pe.Get(make([]byte, 8), 0, 60) },
			"offset -1 of a segment": func(pe *shmem.PE) { pe.Put(0, -1, make([]byte, 8)) },
			"offset -2 of a segment": func(pe *shmem.PE) { pe.Get(make([]byte, 8), 0, -2) },
			"offset -4 of a segment": func(pe *shmem.PE) { pe.PutStrided(0, -4, make([]byte, 8), 2) },
			"offset -8 of a segment": func(pe *shmem.PE) { pe.GetStrided(make([]byte, 8), 0, -8, 2) },
			"offset -9 of a segment": func(pe *shmem.PE) { pe.PutFlag(0, -9, make([]byte, 1), 1) },
		} {
			if kind == "memory" && name == "of a segment of 64" || kind == "windows" && name == "slice bounds" {
				continue
			}
			err := run(t.Context(), of(shmem.Config{PEs: 3, Bytes: 64}), shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
				if pe.Rank() == 1 {
					fail(pe)
				}
				pe.Wait(1)
			}))
			testrun.Fails(t, err, name)
			var panicked *edt.PanicError
			if !errors.As(err, &panicked) || name == "oops" && !strings.HasPrefix(panicked.Site, "shmem_test.go:") {
				t.Errorf("%v: not the line of the panic", err)
			}
		}
	}
}

// Waiting PEs, and PEs in a loop with checks, end when the run is cancelled.
func TestCancelled(t *testing.T) {
	for kind, of := range kinds {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, cancel)
		err := run(ctx, of(shmem.Config{PEs: 3, Bytes: 64, Done: ctx.Done()}), shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
			for pe.Rank() == 1 {
				pe.Check()
				goruntime.Gosched()
			}
			pe.Wait(1)
		}))
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", kind, err)
		}
		cancel()
	}
}

// A program cannot have more PEs than workers.
func TestTooManyPEs(t *testing.T) {
	err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		shmem.Run(c, shmem.Config{PEs: 3, Bytes: 8}, shmem.Direct(func(*edt.Ctx, *shmem.PE) {}))
		return guid.Null
	}, runtime.Workers(2))
	testrun.Fails(t, err, "shmem: 3 PEs, must be 1 to 512, and no more than the 2 workers")
}

// Small transfers and synchronisation allocate nothing.
func TestNoAllocations(t *testing.T) {
	word := make([]byte, 8)
	testrun.OK(t, run(t.Context(), shmem.Config{PEs: 1, Bytes: 1024}, shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
		if n := testing.AllocsPerRun(100, func() {
			pe.Put(0, 0, word)
			pe.Quiet()
			pe.Get(word, 0, 8)
			pe.PutStrided(0, 16, word, 2)
			pe.PutFlag(0, 32, word, 1)
			pe.WaitFlag(40, 1)
			pe.Notify(0)
			pe.Wait(0)
			pe.Barrier()
			pe.SumToAll(0, 0, 100)
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})))
}
