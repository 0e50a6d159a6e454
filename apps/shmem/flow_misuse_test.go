package shmem_test

import (
	"errors"
	"testing"

	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// A flow refuses what a PE refuses, in one line.
func TestFlowMisuse(t *testing.T) {
	nothing := func(*edt.Ctx, shmem.Op) {}
	put := func(op shmem.Op) func(c *edt.Ctx, f *shmem.Flow) {
		return func(c *edt.Ctx, f *shmem.Flow) { f.NewPut(nothing).Start(c, op, guid.Null) }
	}
	strided := func(op shmem.Op) func(c *edt.Ctx, f *shmem.Flow) {
		return func(c *edt.Ctx, f *shmem.Flow) {
			f.NewStrided(false, 4, shmem.Strides{Dst: 3, Src: 1}, nothing).Start(c, op, guid.Null)
		}
	}
	sum := func(op shmem.Op) func(c *edt.Ctx, f *shmem.Flow) {
		return func(c *edt.Ctx, f *shmem.Flow) { f.NewSum(shmem.Int64, nothing).Enter(c, op) }
	}
	for _, test := range []struct {
		want string
		call func(c *edt.Ctx, f *shmem.Flow)
	}{
		{"new strided put: elements of 2 bytes, they must have 4 or 8",
			func(c *edt.Ctx, f *shmem.Flow) { f.NewStrided(false, 2, shmem.Strides{Dst: 1, Src: 1}, nothing) }},
		{"new strided get: strides 0 and 1, strides must be 1 or more",
			func(c *edt.Ctx, f *shmem.Flow) { f.NewStrided(true, 4, shmem.Strides{Dst: 0, Src: 1}, nothing) }},
		{"put by PE 1: no PE 2, there are 2", put(shmem.Op{Origin: 1, Target: 2})},
		{"put: no PE -1, there are 2", put(shmem.Op{Origin: -1})},
		{"put by PE 0: tag -1, must be 0 to 281474976710655", put(shmem.Op{Tag: -1})},
		{"put by PE 0: tag 281474976710656, must be 0 to 281474976710655", put(shmem.Op{Tag: 1 << 48})},
		{"put by PE 0: 8 bytes at offset 1017, the segment has 1024", put(shmem.Op{Dst: 1017, Bytes: 8})},
		{"put by PE 0: 8 bytes at offset 4096, the segment has 1024", put(shmem.Op{Src: 4096, Bytes: 8})},
		{"put by PE 0: -8 bytes at offset 0, the segment has 1024", put(shmem.Op{Bytes: -8})},
		{"strided put by PE 0: 6 bytes are not a multiple of the element's 4", strided(shmem.Op{Bytes: 6})},
		{"strided put by PE 0: offset 2 is not a multiple of the element's 4 bytes",
			strided(shmem.Op{Dst: 2, Bytes: 8})},
		{"strided put by PE 0: 16 bytes at offset 1012, the segment has 1024", strided(shmem.Op{Dst: 1012, Bytes: 8})},
		{"notice by PE 0: no PE 3, there are 2",
			func(c *edt.Ctx, f *shmem.Flow) { f.NewNotice(nothing).Notify(c, shmem.Op{Target: 3}) }},
		{"notice by PE 0: offsets 0 and 281474976710656, must be 0 to 281474976710655",
			func(c *edt.Ctx, f *shmem.Flow) { f.NewNotice(nothing).Notify(c, shmem.Op{Src: 1 << 48}) }},
		{"step by PE 0: the PE has ended", func(c *edt.Ctx, f *shmem.Flow) {
			s := f.NewNotice(nothing)
			f.End(c)
			s.Start(c, shmem.Op{}, guid.Null)
		}},
		{"sum to all by PE 0: 12 bytes, offsets 0 and 0: not all are multiples of an element of 8 bytes",
			sum(shmem.Op{Bytes: 12})},
		{"sum to all by PE 0: 16 bytes at offset 1016, the segment has 1024", sum(shmem.Op{Src: 1016, Bytes: 16})},
		{"sum to all by PE 0: target 0 and source 8 overlap, 16 bytes", sum(shmem.Op{Src: 8, Bytes: 16})},
		{"new sum: no element type 9", func(c *edt.Ctx, f *shmem.Flow) { f.NewSum(9, nothing) }},
	} {
		err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
			shmem.NewWorld(c, shmem.Config{PEs: 2, Bytes: 1024}).Run(c,
				shmem.NewFlow("", func(_ *edt.Ctx, f *shmem.Flow) func(c *edt.Ctx) {
					return func(c *edt.Ctx) {
						if f.Rank() == 0 {
							test.call(c, f)
						}
					}
				}))
			return guid.Null
		}, runtime.Workers(2))
		var misuse *shmem.Error
		if !errors.As(err, &misuse) || misuse.Error() != "shmem: "+test.want {
			t.Errorf("error %v\nwant  %s", err, test.want)
		}
	}
}
