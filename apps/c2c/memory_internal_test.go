package c2c

import (
	"context"
	"errors"
	"testing"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/runtime"
)

const lineBytes = 64

func lineOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) / lineBytes }

// TestLines checks which parts share a line, by their addresses, in a data block and in the memory of the goroutines.
func TestLines(t *testing.T) {
	cfg := Defaults()
	cfg.Length = 5
	for line := range Lines {
		cfg.Test, cfg.Line = Dual, line // the largest
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
		cfg.Test = test
		ofA, ofB := written[uint32](cfg, block)
		a, b := lineOf(&ofA[0]), lineOf(&ofB[0])
		if test == Dual && (b < a+2 || lineOf(&ofA[cfg.Length-1]) >= b) {
			t.Errorf("%s, line %d: elements of A and B are on lines %d and %d", test, cfg.Line, a, b)
		}
		if test != Dual && &ofA[0] != &ofB[0] {
			t.Errorf("%s, line %d: elements of A and B are on lines %d and %d, want one", test, cfg.Line, a, b)
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

// TestTamperedChains changes an element at a moment that the schedule draws. Most changes are found; the others come
// before a sender writes the element.
func TestTamperedChains(t *testing.T) {
	for _, test := range Tests() {
		cfg := Defaults()
		cfg.Test, cfg.Form, cfg.Transfers, cfg.Warmup = test, EDT, 20, 2
		if test.HasLength() {
			cfg.Length = 3
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
