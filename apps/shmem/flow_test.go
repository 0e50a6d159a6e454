package shmem_test

import (
	"bytes"
	"testing"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// A program is a flow under test: start starts PE pe's part, on its worker, which calls
// done when it is at its end; check looks at the segments then.
type program struct {
	fill  func(segment []byte, pe int)
	build func(c *edt.Ctx, f *shmem.Flow, pes int, done shmem.Then) (start func(c *edt.Ctx, pe int))
	check func(t *testing.T, segments [][]byte)
}

// runFlow runs a program on a number of PEs and checks that nothing is left.
func runFlow(t *testing.T, pes, bytes int, p program) {
	t.Helper()
	var report runtime.Report
	err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		w := shmem.NewWorld(c, shmem.Config{PEs: pes, Bytes: bytes})
		f := w.NewFlow()
		ended := c.NewLatch(int64(pes))
		var deps []edt.Source
		for _, b := range w.Blocks() {
			deps = append(deps, edt.From(b, datablock.RW))
		}
		var begin, end *edt.Template
		end = c.NewTemplate("end", 0, pes+1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			segments := make([][]byte, pes)
			for pe := range segments {
				segments[pe] = w.Segment(in.Dep(pe))
			}
			p.check(t, segments)
			w.Destroy(c)
			c.DestroyTemplate(begin)
			c.DestroyTemplate(end)
			return guid.Null
		})
		c.NewEDT(end, nil, append(deps, edt.From(ended, datablock.Null))...)
		start := p.build(c, f, pes, func(c *edt.Ctx, _ shmem.Op) { c.Satisfy(ended, guid.Null) })
		first := f.NewNotice(c, func(c *edt.Ctx, op shmem.Op) { start(c, op.Origin) })
		begin = c.NewTemplate("begin", 0, pes, func(c *edt.Ctx, in edt.Args) guid.GUID {
			for pe := range pes {
				if p.fill != nil {
					p.fill(w.Segment(in.Dep(pe)), pe)
				}
				c.Release(in.Dep(pe).GUID())
			}
			for pe := range pes {
				first.Notify(c, shmem.Op{Origin: pe})
			}
			return guid.Null
		})
		c.NewEDT(begin, nil, deps...)
		return guid.Null
	}, runtime.Workers(pes), runtime.Into(&report), runtime.LeakReport())
	if err != nil {
		t.Errorf("%d PEs: %v", pes, err)
	}
	for _, leak := range report.Leaks {
		t.Errorf("%d PEs: leak: %v", pes, leak)
	}
}

func eachFlow(t *testing.T, bytes int, p program) {
	t.Helper()
	for _, pes := range []int{1, 2, 3, 5, 8} {
		runFlow(t, pes, bytes, p)
	}
}

func mark(segment []byte, pe int) { copy(segment, message(512, pe, 0)) }

// Each PE puts to the next, and gets that back.
func TestFlowTransfers(t *testing.T) {
	const n, strides = 32, 3
	for name, steps := range map[string]func(c *edt.Ctx, f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step){
		"plain": func(c *edt.Ctx, f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step) {
			return f.NewPut(c, then), f.NewGet(c, done)
		},
		"strided": func(c *edt.Ctx, f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step) {
			return f.NewStrided(c, false, 4, shmem.Strides{Dst: strides, Src: 1}, then),
				f.NewStrided(c, true, 4, shmem.Strides{Dst: 1, Src: strides}, done)
		},
	} {
		eachFlow(t, 4096, program{
			fill: mark,
			build: func(c *edt.Ctx, f *shmem.Flow, pes int, done shmem.Then) func(c *edt.Ctx, pe int) {
				var put, get *shmem.Step
				put, get = steps(c, f, func(c *edt.Ctx, op shmem.Op) {
					op.Src, op.Dst = op.Dst, 3072
					get.Start(c, op, guid.Null)
				}, done)
				return func(c *edt.Ctx, pe int) {
					put.Start(c, shmem.Op{Origin: pe, Target: (pe + 1) % pes, Dst: 1024, Src: 64, Bytes: n * 4}, guid.Null)
				}
			},
			check: func(t *testing.T, segments [][]byte) {
				for pe, s := range segments {
					if want := message(512, pe, 0)[64 : 64+4*n]; !bytes.Equal(s[3072:][:4*n], want) {
						t.Errorf("%s: PE %d of %d: did not get back what it put", name, pe, len(segments))
					}
				}
			},
		})
	}
}

// Nobody leaves a meeting that somebody has not come to, round after round.
func TestFlowMeetings(t *testing.T) {
	const last = 60
	for name, meet := range map[string]func(c *edt.Ctx, f *shmem.Flow, pes int, then shmem.Then) *shmem.Meeting{
		"barrier": func(c *edt.Ctx, f *shmem.Flow, _ int, then shmem.Then) *shmem.Meeting { return f.NewBarrier(c, then) },
		"pairs": func(c *edt.Ctx, f *shmem.Flow, pes int, then shmem.Then) *shmem.Meeting {
			return f.NewPairSync(c, func(pe int) int { return pes - 1 - pe }, then)
		},
	} {
		eachFlow(t, 64, program{
			build: func(c *edt.Ctx, f *shmem.Flow, pes int, done shmem.Then) func(c *edt.Ctx, pe int) {
				came := make([]paddedCount, pes) // written by the PE, read by those it has met
				var m *shmem.Meeting
				enter := func(c *edt.Ctx, pe, round int) {
					came[pe].n = round + 1
					m.Enter(c, shmem.Op{Origin: pe, Tag: round})
				}
				peers := func(pe int) []int {
					if name == "pairs" {
						return []int{pes - 1 - pe}
					}
					all := make([]int, pes)
					for k := range all {
						all[k] = k
					}
					return all
				}
				m = meet(c, f, pes, func(c *edt.Ctx, op shmem.Op) {
					for _, peer := range peers(op.Origin) {
						if op.Tag%2 == 0 && came[peer].n <= op.Tag {
							t.Errorf("%s, %d PEs: PE %d left round %d before PE %d came", name, pes, op.Origin, op.Tag, peer)
						}
					}
					if op.Tag == last {
						done(c, op)
						return
					}
					// Even rounds look at what was written before, odd ones keep it still.
					if op.Tag%2 == 0 {
						m.Enter(c, shmem.Op{Origin: op.Origin, Tag: op.Tag + 1})
						return
					}
					enter(c, op.Origin, op.Tag+1)
				})
				return func(c *edt.Ctx, pe int) { enter(c, pe, 0) }
			},
			check: func(*testing.T, [][]byte) {},
		})
	}
}

type paddedCount struct {
	n int
	_ [120]byte
}

// A flow's sums have the bits of the direct form.
func TestFlowSumsAreTheDirectOnes(t *testing.T) {
	for _, n := range sumCounts {
		for _, inPlace := range []bool{false, true} {
			target := 1 << 15
			if inPlace {
				target = 0
			}
			direct := map[int][]byte{}
			eachWorld(t, 1<<16, func(_ *testing.T, pe *shmem.PE) {
				roughFloats(pe.Segment(), pe.Rank(), n)
				for range 3 {
					pe.SumToAll(shmem.Float64, target, 0, n)
				}
				if pe.Rank() == 0 {
					direct[pe.Size()] = bytes.Clone(pe.Segment()[target:][:8*n])
				}
			})
			eachFlow(t, 1<<16, program{
				fill: func(segment []byte, pe int) { roughFloats(segment, pe, n) },
				build: func(c *edt.Ctx, f *shmem.Flow, _ int, done shmem.Then) func(c *edt.Ctx, pe int) {
					var sum *shmem.Sum
					sum = f.NewSum(c, shmem.Float64, func(c *edt.Ctx, op shmem.Op) {
						if op.Tag++; op.Tag == 3 {
							done(c, op)
							return
						}
						sum.Enter(c, op)
					})
					return func(c *edt.Ctx, pe int) {
						sum.Enter(c, shmem.Op{Origin: pe, Dst: target, Src: 0, Bytes: 8 * n})
					}
				},
				check: func(t *testing.T, segments [][]byte) {
					for pe, s := range segments {
						if !bytes.Equal(s[target:][:8*n], direct[len(segments)]) {
							t.Errorf("%d elements, in place %v: PE %d of %d has other bits than the direct form", n, inPlace, pe, len(segments))
						}
					}
				},
			})
		}
	}
}
