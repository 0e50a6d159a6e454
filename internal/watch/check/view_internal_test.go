package check

import (
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// narrow makes a checker with this number of pages for the views of each worker.
func narrow(t *testing.T, pages, workers int) *Checker {
	t.Helper()
	k := New(Config{})
	k.memory.close()
	bytes := 2 * pages * workers * sys.Page
	k.memory.region = region{sys.Reserve(bytes), bytes}
	k.memory.next = 0
	if k.memory.start != nil {
		k.memory.backing = sys.NewBacking(k.memory.start, bytes/2)
	}
	if k.memory.backing == nil {
		t.Skip("no address space for views can be reserved on this system")
	}
	k.memory.guarded = sys.Guard(k.memory.start, bytes, false)
	return k
}

// Addresses of views in use are not given again when the address space is used up.
func TestViewsInUseAreLeftAlone(t *testing.T) {
	k := narrow(t, 32, 1)
	defer k.Finish(nil)
	v := k.memory.split(0, 1)
	var kept []*hold
	for n := range 200 {
		h := &hold{}
		size := (1 + n%3) * sys.Page
		if !v.show(h, 5*sys.Page, size, sys.ReadWrite) {
			t.Fatalf("view %d of %d pages was not given, with %d in use", n, size/sys.Page, len(kept))
		}
		for at := range h.view {
			if h.view[at] != 0 {
				t.Fatalf("view %d is not zero at byte %d", n, at)
			}
			h.view[at] = byte(n + 1)
		}
		h.published = moment(n + 1)
		if n%50 == 7 {
			kept = append(kept, h)
			continue
		}
		v.hide(h)
		for _, old := range kept {
			if mark := byte(old.published); old.view[0] != mark || old.view[len(old.view)-1] != mark {
				t.Fatalf("view %d was given over one in use", n)
			}
			if v.at(uintptrOf(old.view)) != old {
				t.Fatalf("after view %d it is not known whose one in use is", n)
			}
		}
	}
	if len(kept) == 0 || v.show(&hold{}, 0, 33*sys.Page, sys.ReadWrite) {
		t.Error("a view is larger than the address space")
	}
}

// However little address space there is, and however few parts of it the system may have,
// EDTs see what was written before them.
func TestLittleAddressSpace(t *testing.T) {
	const steps, held = 60, 8
	for _, pages := range []int{1, 2, 5, 9, 20, 40, 64, 8 * 8 * frameStride, 20 * 8 * frameStride} {
		k := narrow(t, pages, 2)
		if pages == 64 {
			k.memory.mostParts = 7
		}
		host := edttest.New(uint64(pages), edt.Config{Workers: 2, Observe: k.Observe})
		sum := uint64(0)
		err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
			c.DestroyBlock(in.Dep(0).GUID())
			var blocks []edt.Source
			for n := range held {
				b, _ := c.NewBlock((1 + n%3) * sys.Page)
				c.Release(b)
				blocks = append(blocks, edt.From(b, datablock.RW))
			}
			var step *edt.Template
			step = c.NewTemplate("step", 1, held, func(c *edt.Ctx, in edt.Args) guid.GUID {
				left := in.Param(0)
				for n := range held {
					words := datablock.Slice[uint64](in.Dep(n))
					words[int(left)%len(words)]++
					words[len(words)-1]++
					if left == 0 {
						sum += words[len(words)-1]
						c.DestroyBlock(in.Dep(n).GUID())
						continue
					}
					c.Release(in.Dep(n).GUID())
				}
				if left == 0 {
					c.DestroyTemplate(step)
					return guid.Null
				}
				c.NewEDT(step, edt.Params(left-1), blocks...)
				return guid.Null
			})
			c.NewEDT(step, edt.Params(steps-1), blocks...)
			return guid.Null
		})
		for _, e := range slices.Concat(k.workers[0].views.shown, k.workers[1].views.shown) {
			for _, h := range e.holds {
				if h != nil && h.over && (h.twins != nil || h.block.bytes != nil || h.small != nil || len(h.node.holds) > 0) {
					t.Errorf("%d pages: a hold that is over keeps memory", pages)
				}
			}
		}
		if faults := Faults(k.Finish(nil)); err != nil || len(faults) > 0 || sum != held*steps {
			t.Errorf("%d pages: sum %d, want %d; %v; error %v", pages, sum, held*steps, faults, err)
		}
	}
}

// What a channel event was sent is not kept one by one without end.
func TestManySatisfactionsOfAChannelAreMerged(t *testing.T) {
	k := New(Config{})
	defer k.Finish(nil)
	e := &event{typ: edt.Channel}
	sender := &node{begin: k.tick()}
	var last moment
	for range 1000 {
		last = k.tick()
		k.satisfy(e, sending{causes: []cause{{from: sender, at: last}}})
	}
	if len(e.sent) > sentKept || len(e.early.causes) > causesKept {
		t.Errorf("%d satisfactions and %d causes of earlier ones are kept", len(e.sent), len(e.early.causes))
	}
	for n := range 1000 {
		r := &node{causes: k.take(e, guid.Null, n%2 == 0).causes, begin: k.tick()}
		if len(r.causes) == 0 || n == 999 && !k.ordered(sender, last, r) {
			t.Fatalf("dependence %d has %d causes", n, len(r.causes))
		}
	}
	if len(e.sent) != 0 || e.earlier != 0 || e.early.causes != nil {
		t.Errorf("%d and %d satisfactions are left", len(e.sent), e.earlier)
	}
}

// What an EDT does comes after its beginning.
func TestAnEDTIsNotBeforeItself(t *testing.T) {
	k := New(Config{})
	defer k.Finish(nil)
	n := &node{begin: k.tick()}
	if k.ordered(n, k.tick(), n) {
		t.Error("a later moment of an EDT counts as before its beginning")
	}
}

// If faults cannot be caught nothing is out of reach, and a write to a block that is held
// for reading is found at its release. Others do not see it.
func TestWithoutGuards(t *testing.T) {
	k := New(Config{})
	if k.memory.guarded = false; k.memory.start == nil {
		k.Finish(nil)
		t.Skip("no address space for views can be reserved on this system")
	}
	host := edttest.New(1, edt.Config{Workers: 1, Observe: k.Observe})
	seen := byte(9)
	err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		b, _ := c.NewBlock(3 * sys.Page)
		c.Release(b)
		second := c.NewTemplate("second", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			seen = in.Dep(0).Bytes()[sys.Page+5]
			c.DestroyBlock(b)
			return guid.Null
		})
		first := c.NewTemplate("first", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			bytes := in.Dep(0).Bytes()
			bytes[sys.Page+5] = 1
			c.Release(b)
			bytes[7] = 1 // not seen here
			c.NewEDT(second, nil, edt.From(b, datablock.RO))
			c.DestroyTemplate(second)
			return guid.Null
		})
		c.NewEDT(first, nil, edt.From(b, datablock.RO))
		c.DestroyTemplate(first)
		return guid.Null
	})
	found := k.Finish(nil)
	if err != nil || seen != 0 || len(found) != 1 || found[0].Kind != finding.ReadOnlyWrite ||
		found[0].Template != "first" {
		t.Errorf("the next EDT saw %d, want 0; found %v, error %v", seen, found, err)
	}
}
