package check

import (
	"errors"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime/finding"
)

// sink takes what tests read, so that they read it.
var sink byte

// copying makes a checker that copies small blocks, and watches this many EDTs of each template closely.
func copying(t *testing.T, atOnce int) *Checker {
	t.Helper()
	k := New(Config{})
	k.atOnce = atOnce
	return k
}

// steps runs bodies one after the other, each in an EDT that holds a block of 16 bytes in a mode, on two workers.
func steps(t *testing.T, k *Checker, seed uint64, mode datablock.Mode,
	bodies ...func(c *edt.Ctx, in edt.Args)) ([]finding.Finding, error) {
	t.Helper()
	host := edttest.New(seed, edt.Config{Workers: 2, Observe: k.Observe})
	err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		if !k.memory.isSmall(16) {
			t.Skip("blocks are not copied on this system")
		}
		b, _ := c.NewBlock(16)
		c.Release(b)
		var step *edt.Template
		step = c.NewTemplate("step", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			n := in.Param(0)
			if bodies[n](c, in); int(n+1) < len(bodies) {
				c.AddDependence(b, c.NewEDT(step, []uint64{n + 1}, edt.Open), 0, mode)
			}
			return guid.Null
		})
		c.NewEDT(step, []uint64{0}, edt.From(b, mode))
		return guid.Null
	})
	return k.Finish(nil), err
}

// TestLateUsesOfCopies: bytes that an EDT has kept are used by another. Where the copy is taken away at once, that
// faults. Where it is left for a while, a write is found later, and a read once the copy has been taken away.
func TestLateUsesOfCopies(t *testing.T) {
	nothing := func(*edt.Ctx, edt.Args) {}
	for _, tt := range []struct {
		name    string
		atOnce  int
		mode    datablock.Mode
		between int // EDTs
		use     func(kept []byte)
		detail  string
		ends    bool
	}{
		{"a read, at once", 1, datablock.RO, 0, func(kept []byte) { sink += kept[3] }, "byte 3 of 16 was read", true},
		{"a read of what could be written, at once", 1, datablock.RW, 0, func(kept []byte) { sink += kept[3] },
			"byte 3 of 16 was read", true},
		{"a write, at once", 1, datablock.RW, 0, func(kept []byte) { kept[3] = 1 }, "byte 3 of 16 was written", true},
		{"a write of what could be read, left", 0, datablock.RO, 0, func(kept []byte) { kept[3] = 1 },
			"byte 3 of 16 was written", true},
		{"a write, left", 0, datablock.RW, 0, func(kept []byte) { kept[3] = 1 },
			"byte 3 of 16 was written, held in mode RW; where is not known", false},
		{"a write, left a little longer", 0, datablock.EW, 5, func(kept []byte) { kept[15] = 1 },
			"byte 15 of 16 was written, held in mode EW; where is not known", false},
		{"a read, left until a batch is taken away", 0, datablock.RO, 6 * batch, func(kept []byte) { sink += kept[3] },
			"byte 3 of 16 was read", true},
		{"a write, left until a batch is taken away", 0, datablock.RW, 6 * batch, func(kept []byte) { kept[3] = 1 },
			"byte 3 of 16 was written", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range testrun.Sized[uint64](3, 10, 100) {
				var kept []byte
				bodies := []func(c *edt.Ctx, in edt.Args){func(_ *edt.Ctx, in edt.Args) { kept = in.Dep(0).Bytes() }}
				for range tt.between {
					bodies = append(bodies, nothing)
				}
				bodies = append(bodies, func(*edt.Ctx, edt.Args) { tt.use(kept) })
				found, err := steps(t, copying(t, tt.atOnce), seed, tt.mode, bodies...)
				if len(found) != 1 || found[0].Kind != finding.LateAccess || found[0].Note || found[0].Template != "step" ||
					!strings.Contains(found[0].Detail, tt.detail) {
					t.Fatalf("seed %d: found %v, want %q", seed, found, tt.detail)
				}
				var p *edt.PanicError
				if ended := errors.As(err, &p); ended != tt.ends {
					t.Fatalf("seed %d: the run was ended: %v, want %v", seed, err, tt.ends)
				}
			}
		})
	}
}

// TestManyCopies: EDTs have many more blocks than frames are shown together, some for reading and some for writing, and
// each sees what was written before it. The memory that is needed for that is that of the most at a time.
func TestManyCopies(t *testing.T) {
	const blocks, rounds = 700, 5
	for _, atOnce := range []int{0, rounds} {
		k := copying(t, atOnce)
		host := edttest.New(uint64(atOnce), edt.Config{Workers: 2, Observe: k.Observe})
		sum := uint64(0)
		err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
			c.DestroyBlock(in.Dep(0).GUID())
			var all []guid.GUID
			for range blocks {
				all = append(all, c.NewBlockNoAcquire(24))
			}
			var round *edt.Template
			round = c.NewTemplate("round", 1, blocks, func(c *edt.Ctx, in edt.Args) guid.GUID {
				n := in.Param(0)
				for d := range blocks {
					words := datablock.Slice[uint64](in.Dep(d))
					testrun.Equal(t, (n+1-uint64(d)%2)/2, words[d%3], "round %d: block %d has %v", n, d, words)
					if in.Dep(d).Mode() == datablock.RW {
						words[d%3]++
					}
					if n == rounds-1 {
						sum += words[d%3]
						c.DestroyBlock(all[d])
					} else {
						c.Release(all[d])
					}
				}
				if n == rounds-1 {
					return guid.Null
				}
				next := c.NewEDT(round, []uint64{n + 1})
				for d, b := range all {
					c.AddDependence(b, next, d, modeIn(int(n)+1, d))
				}
				return guid.Null
			})
			first := c.NewEDT(round, []uint64{0})
			for d, b := range all {
				c.AddDependence(b, first, d, modeIn(0, d))
			}
			return guid.Null
		})
		for _, w := range k.workers {
			for way, all := range w.views.frames {
				if k.memory.frames > 0 && len(all) > 2*blocks/k.memory.frames+2 {
					t.Errorf("worker %d has %d times the frames, to write %d", w.of.Number(), len(all), way)
				}
			}
		}
		if found := Faults(k.Finish(nil)); err != nil || len(found) > 0 || sum != blocks*rounds/2 {
			t.Errorf("sum %d, want %d; found %v, error %v", sum, blocks*rounds/2, found, err)
		}
	}
}

// TestKeptCopies: an EDT keeps some blocks, for reading and for writing, while it makes and destroys many more: what it
// keeps stays as it is, and what it makes is zero.
func TestKeptCopies(t *testing.T) {
	const kept, made = 30, 2000
	k := copying(t, 1)
	host := edttest.New(1, edt.Config{Workers: 1, Observe: k.Observe})
	err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		var deps []edt.Source
		for n := range kept {
			b, bytes := c.NewBlock(16)
			bytes[5] = byte(n)
			c.Release(b)
			deps = append(deps, edt.From(b, modeIn(0, n)))
		}
		c.NewEDT(c.NewTemplate("keeper", 0, kept, func(c *edt.Ctx, in edt.Args) guid.GUID {
			for range made {
				b, bytes := c.NewBlock(100)
				for n := range bytes {
					if bytes[n] != 0 {
						t.Fatalf("byte %d of a new block is %d", n, bytes[n])
					}
					bytes[n] = 0xFF
				}
				c.DestroyBlock(b)
			}
			for n := range kept {
				if bytes := in.Dep(n).Bytes(); bytes[5] != byte(n) || bytes[6] != 0 {
					t.Errorf("block %d has %v", n, bytes)
				}
				c.DestroyBlock(in.Dep(n).GUID())
			}
			return guid.Null
		}), nil, deps...)
		return guid.Null
	})
	if found := k.Finish(nil); err != nil || len(found) > 0 {
		t.Errorf("found %v, error %v", found, err)
	}
}

// modeIn is RW for every other block, in turns.
func modeIn(round, block int) datablock.Mode {
	if (round+block)%2 == 0 {
		return datablock.RW
	}
	return datablock.RO
}

// A releaseObserver looks, at each release at the end of an EDT, whether its copies are out of reach.
type releaseObserver struct {
	edt.NopObserver
	of       *worker
	releases *int
	left     *int
}

func (o *releaseObserver) BlockReleased(guid.GUID, datablock.Mode, bool) {
	if !o.of.returned {
		return
	}
	*o.releases++
	for _, h := range o.of.current.holds {
		if h.small != nil && !h.taken.Load() {
			*o.left++
		}
	}
}

// TestCopiesAreTakenBeforeReleases: others may run as soon as the first block is released.
func TestCopiesAreTakenBeforeReleases(t *testing.T) {
	releases, left := 0, 0
	k := copying(t, 1)
	host := edttest.New(1, edt.Config{Workers: 2, Observe: edt.ObserveAll(func(w *edt.Worker) edt.Observer {
		return &releaseObserver{of: k.Observe(w).(*worker), releases: &releases, left: &left}
	}, func(w *edt.Worker) edt.Observer { return k.workers[w.Number()] })})
	err := host.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		both := c.NewTemplate("both", 0, 3, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		var deps []edt.Source
		for _, mode := range []datablock.Mode{datablock.RO, datablock.RW, datablock.Const} {
			deps = append(deps, edt.From(c.NewBlockNoAcquire(8), mode))
		}
		c.NewEDT(both, nil, deps...)
		return guid.Null
	})
	if k.Finish(nil); err != nil || releases < 3 || left > 0 {
		t.Errorf("%d releases, %d copies that could be used then; error %v", releases, left, err)
	}
}
