package c2c

import (
	"errors"
	"testing"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

const lineBytes = 64

func lineOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) / lineBytes }

// TestLines checks which elements share a line, by their addresses, in a block for them.
func TestLines(t *testing.T) {
	for _, test := range Tests() {
		for line := range Lines {
			cfg := Defaults()
			cfg.Test, cfg.Line, cfg.Width, cfg.Length = test, line, 4, 5
			ofA, ofB := written[uint32](cfg, make([]byte, cfg.memory()))
			a, b := lineOf(&ofA[0]), lineOf(&ofB[0])
			begins := a*lineBytes%pageBytes == uintptr(line*lineStep)%pageBytes
			if !begins || test == Dual && b < a+2 || test != Dual && b != a {
				t.Errorf("%s, line %d: elements of A and B are on lines %d and %d", test, line, a, b)
			}
		}
	}
	var p polling
	lines := map[uintptr]bool{lineOf(&p.Config.Limit): true, lineOf(&p.stop.word): true,
		lineOf(&p.ready[0].word): true, lineOf(&p.ready[1].word): true,
		lineOf(&p.reports[0].met): true, lineOf(&p.reports[1].met): true}
	if len(lines) != 6 {
		t.Errorf("words that ends write are on %d lines", len(lines))
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
				h := a.chain(c)
				c.NewEDT(c.NewTemplate("tamper", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
					elements[uint64](h, in.Dep(0))[cfg.Length-1] = 99
					return guid.Null
				}), nil, edt.From(h.blocks[0], datablock.RW))
				return guid.Null
			})
			testrun.OK(t, err)
			_, err = a.Result()
			if _, wrong := errors.AsType[*trial.VerifyError](err); wrong {
				caught++
			} else {
				testrun.OK(t, err)
			}
		}
		if caught < 2 {
			t.Errorf("%s: a wrong element was seen in %d of 20 runs", test, caught)
		}
	}
}
