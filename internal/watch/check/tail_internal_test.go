//go:build linux && amd64

package check

import (
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A tailObserver notes, at each release by a body of template once, whether that has nothing to do after it.
type tailObserver struct {
	edt.NopObserver
	sites sites
	runs  bool
	ends  *[]bool
}

func (o *tailObserver) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	o.runs = t.Name() == "once"
}

func (o *tailObserver) EDTReturned(guid.GUID) { o.runs = false }

func (o *tailObserver) BlockReleased(guid.GUID, datablock.Mode, bool) {
	if o.runs {
		*o.ends = append(*o.ends, o.sites.here().ends)
	}
}

//go:noinline
func release(c *edt.Ctx, b guid.GUID) { c.Release(b) }

//go:noinline
func releaseAndUse(c *edt.Ctx, in edt.Args) byte {
	b := in.Dep(0).Bytes()
	c.Release(in.Dep(0).GUID())
	return b[0]
}

// TestBodyEnds: it is known of a release whether code of the app follows it that could use the block.
func TestBodyEnds(t *testing.T) {
	if testrun.Race() {
		t.Skip("the race detector has code of its own at the end of functions")
	}
	for _, tt := range []struct {
		name string
		want []bool
		body func(c *edt.Ctx, in edt.Args)
	}{
		{"as the last thing", []bool{true}, func(c *edt.Ctx, in edt.Args) { c.Release(in.Dep(0).GUID()) }},
		{"by a function, as the last thing", []bool{true}, func(c *edt.Ctx, in edt.Args) { release(c, in.Dep(0).GUID()) }},
		{"twice", []bool{false, true}, func(c *edt.Ctx, in edt.Args) {
			c.Release(in.Dep(0).GUID())
			c.Release(in.Dep(1).GUID())
		}},
		{"before a read", []bool{false}, func(c *edt.Ctx, in edt.Args) {
			c.Release(in.Dep(0).GUID())
			sink += in.Dep(1).Bytes()[0]
		}},
		{"before a read by its caller", []bool{false}, func(c *edt.Ctx, in edt.Args) {
			release(c, in.Dep(0).GUID())
			sink += in.Dep(1).Bytes()[0]
		}},
		{"before a result is read", []bool{false}, func(c *edt.Ctx, in edt.Args) { sink += releaseAndUse(c, in) }},
		{"before a deferred read", []bool{false}, func(c *edt.Ctx, in edt.Args) {
			defer func() { sink += in.Dep(1).Bytes()[0] }()
			c.Release(in.Dep(0).GUID())
		}},
		{"in a deferred call before another", []bool{false}, func(c *edt.Ctx, in edt.Args) {
			defer func() { sink += in.Dep(1).Bytes()[0] }()
			defer release(c, in.Dep(0).GUID())
		}},
		{"in a loop", []bool{false, false}, func(c *edt.Ctx, in edt.Args) {
			for d := range in.Deps() {
				c.Release(in.Dep(d).GUID())
			}
		}},
		{"in one of two branches", []bool{true}, func(c *edt.Ctx, in edt.Args) {
			if in.Dep(0).Size() > 3 {
				sink++
				c.Release(in.Dep(0).GUID())
			} else {
				sink += in.Dep(1).Bytes()[0]
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ends []bool
			host := edttest.New(1, edt.Config{Workers: 1, Observe: func(*edt.Worker) edt.Observer {
				return &tailObserver{ends: &ends}
			}})
			err := host.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
				var deps []edt.Source
				for range 2 {
					deps = append(deps, edt.From(c.NewBlockNoAcquire(8), datablock.RW))
				}
				once := c.NewTemplate("once", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
					tt.body(c, in)
					return guid.Null
				})
				c.NewEDT(once, nil, deps...)
				return guid.Null
			})
			if err != nil || !slices.Equal(ends, tt.want) {
				t.Errorf("%v, want %v; error %v", ends, tt.want, err)
			}
		})
	}
}
