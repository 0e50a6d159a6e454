package shmem_test

import (
	"context"
	"errors"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// Each misuse ends the run with one line that says what was wrong, also where the other PEs wait.
func TestMisuse(t *testing.T) {
	word := make([]byte, 8)
	for _, test := range []struct {
		want string
		call func(pe *shmem.PE)
	}{
		{"put: 8 bytes at offset 1017, the segment has 1024", func(pe *shmem.PE) { pe.Put(0, 1017, word) }},
		{"put: 8 bytes at offset -1, the segment has 1024", func(pe *shmem.PE) { pe.Put(0, -1, word) }},
		{"put: no PE 2, there are 2", func(pe *shmem.PE) { pe.Put(2, 0, word) }},
		{"put: no PE -1, there are 2", func(pe *shmem.PE) { pe.Put(-1, 0, word) }},
		{"get: 8 bytes at offset 4096, the segment has 1024", func(pe *shmem.PE) { pe.Get(word, 0, 4096) }},
		{"put flag: 7 bytes at offset 0 do not end in an aligned word",
			func(pe *shmem.PE) { pe.PutFlag(0, 0, word[:7]) }},
		{"put flag: 3 bytes at offset 0 do not end in an aligned word",
			func(pe *shmem.PE) { pe.PutFlag(0, 0, word[:3]) }},
		{"put flag: 8 bytes at offset 4 do not end in an aligned word", func(pe *shmem.PE) { pe.PutFlag(0, 4, word) }},
		{"wait flag: 2 bytes at offset 0 do not end in an aligned word",
			func(pe *shmem.PE) { pe.WaitFlag(0, 0, word[:2]) }},
		{"notify: no PE 5, there are 2", func(pe *shmem.PE) { pe.Notify(5) }},
		{"wait: no PE -3, there are 2", func(pe *shmem.PE) { pe.Wait(-3) }},
		{"sum to all: target 0 and source 8 overlap, 16 bytes",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 8, 2) }},
		{"sum to all: 4 bytes, offsets 2 and 512: not all are multiples of an element of 4 bytes",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int32, 2, 512, 1) }},
		{"sum to all: 2305843009213693952 elements of 8 bytes, the segment has 1024",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 0, 1<<61) }},
		{"sum to all: -1 elements of 8 bytes, the segment has 1024",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 0, -1) }},
		{"sum to all: 1024 bytes at offset 8, the segment has 1024",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 8, 8, 128) }},
		{"sum to all: 129 elements of 8 bytes, the segment has 1024",
			func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 0, 129) }},
		{"strided put: strides 0 and 1, strides must be 1 or more",
			func(pe *shmem.PE) { pe.PutStrided(0, 0, word, 2, 4, shmem.Strides{Dst: 0, Src: 1}) }},
		{"strided put: elements of 3 bytes, they must have 4 or 8",
			func(pe *shmem.PE) { pe.PutStrided(0, 0, word, 2, 3, shmem.Strides{Dst: 1, Src: 1}) }},
		{"strided put: offset 2 is not a multiple of the element's 4 bytes",
			func(pe *shmem.PE) { pe.PutStrided(0, 2, word, 2, 4, shmem.Strides{Dst: 1, Src: 1}) }},
		{"strided put: 2 elements with stride 2 in 8 bytes",
			func(pe *shmem.PE) { pe.PutStrided(0, 0, word, 2, 4, shmem.Strides{Dst: 1, Src: 2}) }},
		{"strided get: 2 elements with stride 256, the segment has 1024 bytes",
			func(pe *shmem.PE) { pe.GetStrided(word, 0, 0, 2, 4, shmem.Strides{Dst: 1, Src: 256}) }},
		{"strided get: 2 elements with stride 4611686018427387904, the segment has 1024 bytes",
			func(pe *shmem.PE) { pe.GetStrided(word, 0, 0, 2, 4, shmem.Strides{Dst: 1, Src: 1 << 62}) }},
	} {
		want := "shmem: " + strings.Replace(test.want, ": ", " by PE 1: ", 1)
		for kind, of := range kinds {
			err := onPEs(t.Context(), 2, of(shmem.Config{PEs: 2, Bytes: 1024}), func(pe *shmem.PE) {
				if pe.Rank() == 1 {
					test.call(pe)
				}
				pe.Barrier()
			})
			var misuse *shmem.Error
			if !errors.As(err, &misuse) || misuse.Error() != want {
				t.Errorf("%s: error %v\nwant  %s", kind, err, want)
			}
		}
	}
}

func TestWorldMisuse(t *testing.T) {
	for _, test := range []struct {
		cfg  shmem.Config
		want string
	}{
		{shmem.Config{PEs: 0, Bytes: 1}, "0 PEs"},
		{shmem.Config{PEs: shmem.MaxPEs + 1, Bytes: 1}, "513 PEs"},
		{shmem.Config{PEs: 3, Bytes: 1}, "3 PEs, but 2 workers"},
		{shmem.Config{PEs: 2, Bytes: 0}, "segments of 0 bytes"},
		{shmem.Config{PEs: 2, Bytes: -5}, "segments of -5 bytes"},
	} {
		err := onPEs(t.Context(), 2, test.cfg, func(*shmem.PE) {})
		var misuse *shmem.Error
		if !errors.As(err, &misuse) || !strings.Contains(misuse.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

// A PE that panics takes the waiting ones with it, in every kind of wait.
func TestFailureEndsWaits(t *testing.T) {
	boom := errors.New("boom")
	for name, wait := range map[string]func(pe *shmem.PE){
		"barrier": (*shmem.PE).Barrier,
		"wait":    func(pe *shmem.PE) { pe.Wait(0) },
		"flag":    func(pe *shmem.PE) { pe.WaitFlag(pe.Rank(), 0, []byte{1, 2, 3, 4}) },
		"sum":     func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 0, 1) },
		"long":    func(pe *shmem.PE) { pe.SumToAll(shmem.Int64, 0, 0, 1000) },
		"check": func(pe *shmem.PE) {
			for {
				pe.Check()
			}
		},
	} {
		for kind, of := range kinds {
			err := onPEs(t.Context(), 3, of(shmem.Config{PEs: 3, Bytes: 8192}), func(pe *shmem.PE) {
				if pe.Rank() == 0 {
					panic(boom)
				}
				wait(pe)
			})
			var failed *edt.PanicError
			if !errors.Is(err, boom) || !errors.As(err, &failed) {
				t.Errorf("%s, %s: error %v, want %v", kind, name, err, boom)
			}
		}
	}
}

// Cancelling ends the waits, with the waiter of the system and with none: else this test does not
// end. The PEs may be quicker than the run to see it.
func TestCancelEndsWaits(t *testing.T) {
	for kind, of := range kinds {
		for _, waiter := range []shmem.Waiter{{}, {Yield: goruntime.Gosched}, {Polls: 1}} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(2*time.Millisecond, cancel)
			cfg := of(shmem.Config{PEs: 2, Bytes: 64, Wait: waiter, Done: ctx.Done()})
			err := onPEs(ctx, 2, cfg, func(pe *shmem.PE) {
				if pe.Rank() == 1 {
					pe.Wait(0)
				}
				for pe.Rank() == 0 {
					pe.Check()
				}
			})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v", kind, err)
			}
		}
	}
}

// What one run of a world counts the next one goes on from.
func TestRunsOfOneWorld(t *testing.T) {
	for kind, of := range kinds {
		t.Run(kind, func(t *testing.T) { runsOfOneWorld(t, of(shmem.Config{PEs: 3, Bytes: 256})) })
	}
}

func runsOfOneWorld(t *testing.T, cfg shmem.Config) {
	err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		w := shmem.NewWorld(c, cfg)
		left := 5
		var again *edt.Template
		body := shmem.NewProgram("", func(_ *edt.Ctx, pe *shmem.PE) {
			next := (pe.Rank() + 1) % 3
			for range 7 {
				var word [8]byte
				pe.Get(word[:], next, 0)
				datablock.SliceOf[int64](word[:])[0]++
				pe.Put(next, 0, word[:])
				pe.Notify(next)
				pe.Wait((pe.Rank() + 2) % 3)
				pe.Barrier()
				pe.SumToAll(shmem.Int64, 8, 0, 1)
				pe.Barrier()
			}
		})
		again = c.NewTemplate("again", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
			if left--; left > 0 {
				c.NewEDT(again, nil, edt.From(w.Run(c, body), datablock.Null), edt.From(w.Blocks()[1], datablock.RW))
				return guid.Null
			}
			words := datablock.SliceOf[int64](w.Segment(in.Dep(1)))
			if words[0] != 35 || words[1] != 3*35 {
				t.Errorf("%d rounds, sum %d, want 35 and 105", words[0], words[1])
			}
			w.Destroy(c)
			c.Shutdown()
			return guid.Null
		})
		c.NewEDT(again, nil, edt.From(w.Run(c, body), datablock.Null), edt.From(w.Blocks()[1], datablock.RW))
		return guid.Null
	}, runtime.Workers(3))
	testrun.OK(t, err)
}
