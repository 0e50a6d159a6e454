package c2c

import (
	"context"
	"errors"
	"testing"
	"time"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/runtime"
)

const lineBytes = 64

func lineOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) / lineBytes }

// TestLines asserts the addresses of what must and must not share a line, in a data
// block and in the memory of the goroutines.
func TestLines(t *testing.T) {
	cfg := Defaults()
	cfg.Length = 5
	for line := range Lines {
		cfg.Test, cfg.Line = Ring, line // the largest
		bytes := cfg.memory()
		checkLines(t, cfg, fromPage(make([]byte, bytes)))
		main := func(c *edt.Ctx, _ edt.Args) guid.GUID {
			_, block := c.NewBlock(bytes)
			checkLines(t, cfg, fromPage(block))
			return guid.Null
		}
		if err := runtime.Run(context.Background(), main, runtime.Workers(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func checkLines(t *testing.T, cfg Config, block []byte) {
	t.Helper()
	for _, test := range Tests() {
		for _, layout := range Layouts() {
			cfg.Test, cfg.Layout = test, layout
			w := wire[uint32](cfg, block)
			a, b := lineOf(&w.out[0][0]), lineOf(&w.out[1][0])
			alone := (test == Dual && layout == Separate) || test == DualArray
			if alone && (b < a+2 || lineOf(&w.out[0][cfg.Length-1]) >= b) {
				t.Errorf("%s, %s, line %d: elements of A and B are on lines %d and %d", test, layout, cfg.Line, a, b)
			}
			if !alone && a != b {
				t.Errorf("%s, %s, line %d: elements of A and B are on lines %d and %d, want one", test, layout,
					cfg.Line, a, b)
			}
			if (&w.out[0][0] == &w.out[1][0]) != (test != Dual && test != DualArray) {
				t.Errorf("%s: both ends share an element, or not, against the test", test)
			}
			last := lineOf(&w.out[1][cfg.Length-1])
			if test == Ring {
				last = lineOf(&w.ring[len(w.ring)-1])
			}
			for _, p := range []uintptr{lineOf(w.valid), lineOf(w.ack), lineOf(w.written), lineOf(w.freed)} {
				if p <= last {
					t.Errorf("%s: a flag lies on line %d, elements up to %d", test, p, last)
				}
				last = p
			}
			ctl := controlView.Of(block)
			for _, p := range []uintptr{lineOf(&ctl.ready[1].word), lineOf(&ctl.stop.word), lineOf(&ctl.ends[0].report),
				lineOf(&ctl.ends[1].report)} {
				if p >= a {
					t.Errorf("%s: control words on line %d, elements from %d", test, p, a)
				}
			}
		}
	}
}

// TestWrongValuesAreSeen plays A by hand, with a value that was not agreed on.
func TestWrongValuesAreSeen(t *testing.T) {
	cfg := Defaults()
	cfg.Test, cfg.Length, cfg.Transfers, cfg.Warmup = Blocked, 9, 2, 2
	block := fromPage(make([]byte, cfg.memory()))
	a, b := newEnd[uint16](&cfg, 0, block), newEnd[uint16](&cfg, 1, block)
	done := make(chan struct{})
	go func() { defer close(done); b.run() }()
	if !a.meet() {
		t.Fatal("no meeting")
	}
	a.deadline = trial.Now() + time.Minute.Nanoseconds()
	for k := uint16(0); k < 4; k += 2 {
		cell.Fill(a.out[0], k+1)
		if k == 2 {
			cell.Store(&a.out[0][7], 99)
		}
		cell.Store(a.valid, k+1)
		a.await(a.ack, k+2)
	}
	<-done
	a.ctl.ends[0].report = report{met: 1, transfers: 2, elapsed: 1}
	_, err := cfg.resultOf(block)
	if wrong, ok := err.(*trial.VerifyError); !ok || wrong.Got != "2" {
		t.Errorf("%v, want 2 elements from the wrong one on", err)
	}
}

// TestRingValues: a block that was not written again shows, however many there are.
func TestRingValues(t *testing.T) {
	for _, blocks := range []int{1, 8, 255, 256, 4096} {
		cfg := Config{Blocks: blocks}
		for k := range uint64(3 * blocks) {
			if uint8(cfg.ringValue(k)) == uint8(cfg.ringValue(k+uint64(blocks))) {
				t.Fatalf("%d blocks: %d and a lap later hold the same", blocks, k)
			}
		}
	}
}

// TestTamperedChains changes an element behind the back of a chain of EDTs, at a
// moment that the schedule draws: most are noticed, some come before a sender writes.
func TestTamperedChains(t *testing.T) {
	for _, test := range []Test{Single, Dual, Array, DualArray, Flow} {
		cfg := Defaults()
		cfg.Test, cfg.Form, cfg.Transfers, cfg.Warmup = test, Chain, 20, 2
		if test.HasLength() {
			cfg.Length = 3
		}
		if test == Dual {
			cfg.Layout = Separate
		}
		cfg.Line = 7
		caught := 0
		for seed := range uint64(20) {
			a := New(cfg)
			err := edttest.Run(seed, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
				blocks := a.chain(c)
				c.NewEDT(c.NewTemplate("tamper", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
					elementsOf[uint64](chainOf(in.Dep(0)))[cfg.Length-1] = 99
					return guid.Null
				}), nil, edt.From(blocks[0], datablock.RW))
				return guid.Null
			})
			if err != nil {
				t.Fatal(err)
			}
			var wrong *trial.VerifyError
			if _, err := a.Result(); errors.As(err, &wrong) {
				caught++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if caught < 2 {
			t.Errorf("%s: a wrong element was seen in %d of 20 runs", test, caught)
		}
	}
}
