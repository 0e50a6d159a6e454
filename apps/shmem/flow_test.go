package shmem_test

import (
	"bytes"
	"testing"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/runtime"
)

// A program is a flow under test: start starts a PE's part, on its worker, which calls
// done when it is at its end; check looks at the segments then.
type program struct {
	fill  func(segment []byte, pe int)
	build func(f *shmem.Flow, done func(c *edt.Ctx)) (start func(c *edt.Ctx))
	check func(segments [][]byte)
}

func (p program) main(cfg shmem.Config) edt.Func {
	pes := cfg.PEs
	flow := shmem.NewFlow("", func(_ *edt.Ctx, f *shmem.Flow) func(c *edt.Ctx) {
		start := p.build(f, f.End)
		all := f.NewBarrier(func(c *edt.Ctx, _ shmem.Op) { start(c) })
		fill := f.NewVisit(false, func(segments [][]byte, op shmem.Op) {
			if p.fill != nil {
				p.fill(segments[op.Origin], op.Origin)
			}
		}, all.Enter)
		return func(c *edt.Ctx) { fill.Start(c, shmem.Op{Origin: f.Rank()}, guid.Null) }
	})
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		w := shmem.NewWorld(c, cfg)
		var end *edt.Template
		end = c.NewTemplate("end", 0, pes+1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			segments := make([][]byte, pes)
			for pe := range segments {
				segments[pe] = w.Segment(in.Dep(pe))
			}
			p.check(segments)
			w.Destroy(c)
			c.DestroyTemplate(end)
			return guid.Null
		})
		c.NewEDT(end, nil, append(w.Sources(), edt.From(w.Run(c, flow), datablock.Null))...)
		return guid.Null
	}
}

// eachFlow runs programs on 1 to 8 PEs, workers of one rank and of several, and checks that nothing is left.
func eachFlow(t *testing.T, bytes int, make func(pes int) program) {
	t.Helper()
	for kind, of := range kinds {
		for _, pes := range []int{1, 2, 3, 5, 8} {
			var report runtime.Report
			main := make(pes).main(of(shmem.Config{PEs: pes, Bytes: bytes}))
			if err := runtime.Run(t.Context(), main, runtime.Workers(pes), runtime.Into(&report),
				runtime.LeakReport()); err != nil {
				t.Errorf("%s, %d PEs: %v", kind, pes, err)
			}
			for _, leak := range report.Leaks {
				t.Errorf("%s, %d PEs: leak: %v", kind, pes, leak)
			}
		}
	}
	for seed := range uint64(4) {
		for _, ranks := range []int{2, 4} {
			workers := 1 + int(seed/2)
			h := edttest.NewApart(seed, ranks, edt.Config{Workers: workers})
			if err := h.Run(make(ranks * workers).main(shmem.Config{PEs: ranks * workers, Bytes: bytes})); err != nil {
				t.Errorf("%d ranks with %d PEs each, seed %d: %v", ranks, workers, seed, err)
			}
			for _, leak := range h.Graph.Leaks() {
				t.Errorf("%d ranks with %d PEs each, seed %d: leak: %v", ranks, workers, seed, leak)
			}
			h.Graph.Close()
		}
	}
}

func mark(segment []byte, pe int) { copy(segment, message(512, pe, 0)) }

// Each PE puts to the next, and gets that back.
func TestFlowTransfers(t *testing.T) {
	const n, strides = 32, 3
	for name, steps := range map[string]func(f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step){
		"plain": func(f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step) {
			return f.NewPut(then), f.NewGet(done)
		},
		"strided": func(f *shmem.Flow, then, done shmem.Then) (put, get *shmem.Step) {
			return f.NewStrided(false, 4, shmem.Strides{Dst: strides, Src: 1}, then),
				f.NewStrided(true, 4, shmem.Strides{Dst: 1, Src: strides}, done)
		},
	} {
		eachFlow(t, 4096, func(pes int) program {
			return program{
				fill: mark,
				build: func(f *shmem.Flow, done func(c *edt.Ctx)) func(c *edt.Ctx) {
					var put, get *shmem.Step
					put, get = steps(f, func(c *edt.Ctx, op shmem.Op) {
						op.Src, op.Dst = op.Dst, 3072
						get.Start(c, op, guid.Null)
					}, func(c *edt.Ctx, _ shmem.Op) { done(c) })
					return func(c *edt.Ctx) {
						put.Start(c, shmem.Op{Origin: f.Rank(), Target: (f.Rank() + 1) % pes, Dst: 1024, Src: 64,
							Bytes: n * 4}, guid.Null)
					}
				},
				check: func(segments [][]byte) {
					for pe, s := range segments {
						if want := message(512, pe, 0)[64 : 64+4*n]; !bytes.Equal(s[3072:][:4*n], want) {
							t.Errorf("%s: PE %d of %d: did not get back what it put", name, pe, len(segments))
						}
					}
				},
			}
		})
	}
}

// No PE leaves a barrier before all have entered, round after round.
func TestFlowMeetings(t *testing.T) {
	const last = 60
	eachFlow(t, 64, func(pes int) program {
		came := make([]paddedCount, pes) // written by the PE, read by those it has met
		return program{
			build: func(f *shmem.Flow, done func(c *edt.Ctx)) func(c *edt.Ctx) {
				var m *shmem.Meeting
				me := f.Rank()
				enter := func(c *edt.Ctx, round int) {
					came[me].n = round + 1
					m.Enter(c, shmem.Op{Origin: me, Tag: round})
				}
				m = f.NewBarrier(func(c *edt.Ctx, op shmem.Op) {
					for peer := range pes {
						if op.Tag%2 == 0 && came[peer].n <= op.Tag {
							t.Errorf("%d PEs: PE %d left round %d before PE %d came", pes, me, op.Tag, peer)
						}
					}
					if op.Tag == last {
						done(c)
						return
					}
					// Even rounds look at what was written before, odd ones keep it still.
					if op.Tag%2 == 0 {
						m.Enter(c, shmem.Op{Origin: me, Tag: op.Tag + 1})
						return
					}
					enter(c, op.Tag+1)
				})
				return func(c *edt.Ctx) { enter(c, 0) }
			},
			check: func([][]byte) {},
		}
	})
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
			eachFlow(t, 1<<16, func(pes int) program {
				return program{
					fill: func(segment []byte, pe int) { roughFloats(segment, pe, n) },
					build: func(f *shmem.Flow, done func(c *edt.Ctx)) func(c *edt.Ctx) {
						var sum *shmem.Sum
						sum = f.NewSum(shmem.Float64, func(c *edt.Ctx, op shmem.Op) {
							if op.Tag++; op.Tag == 3 {
								done(c)
								return
							}
							sum.Enter(c, op)
						})
						return func(c *edt.Ctx) {
							sum.Enter(c, shmem.Op{Origin: f.Rank(), Dst: target, Src: 0, Bytes: 8 * n})
						}
					},
					check: func(segments [][]byte) {
						for pe, s := range segments {
							if !bytes.Equal(s[target:][:8*n], direct[pes]) {
								t.Errorf("%d elements, in place %v: PE %d of %d has other bits than the direct form", n,
									inPlace, pe, pes)
							}
						}
					},
				}
			})
		}
	}
}
