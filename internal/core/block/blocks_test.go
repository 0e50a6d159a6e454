package block_test

import (
	"errors"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/testrun"
)

func TestNewBlock(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], 24, true)
	if r.Size() != 24 || len(r.Bytes()) != 24 || !r.Live() {
		t.Errorf("size %d, live %v", r.Size(), r.Live())
	}
	if s.At(i) != r || s.Lookup(r.Low(i)) != r {
		t.Error("not found")
	}
	if r.TryAcquire(datablock.Const) {
		t.Error("the creator does not hold it in mode RW")
	}
	if s.Lookup(r.Low(i)+1<<32) != nil || s.Lookup(r.Low(i)+1<<20) != nil {
		t.Error("a block that never was is found")
	}
}

func TestEachLive(t *testing.T) {
	s, locals := newStore(t, 0, 2)
	want := map[uint32]bool{}
	for n := range 10 {
		i, r := create(t, locals[n%2], 8, n%3 == 0)
		switch {
		case n%4 == 0:
			locals[0].Destroy(i, r) // some of them are held
		default:
			want[i] = true
		}
	}
	s.EachLive(func(i uint32, r *block.Record) {
		if !want[i] || s.At(i) != r {
			t.Errorf("block %d is live", i)
		}
		delete(want, i)
	})
	testrun.Equal(t, 0, len(want), "blocks that are not live")
}

// Random creations and destructions: blocks are aligned and zeroed, and never share memory, whatever their sizes and
// whether or not they have holders.
func TestMemoryAgainstModel(t *testing.T) {
	type alive struct {
		i       uint32
		r       *block.Record
		pattern byte
		held    bool
	}
	sizes := rapid.OneOf(rapid.IntRange(1, 200), rapid.IntRange(1, 5000), rapid.IntRange(30_000, 70_000))
	rapid.Check(t, func(t *rapid.T) {
		s := openStore(0)
		defer s.Close()
		var locals [2]block.Local
		locals[0].Init(s, nil)
		locals[1].Init(s, nil)
		var live []alive
		who := func(t *rapid.T) *block.Local { return &locals[rapid.IntRange(0, 1).Draw(t, "worker")] }
		check := func(t *rapid.T, b alive, want byte) {
			for k, v := range b.r.Bytes() {
				if v != want {
					t.Fatalf("byte %d of a block of %d is %d, want %d", k, b.r.Size(), v, want)
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) {
				size, held := sizes.Draw(t, "size"), rapid.Bool().Draw(t, "held")
				i, r, err := who(t).Create(size, held)
				if err != nil || len(r.Bytes()) != size {
					t.Fatalf("%d bytes: %v", size, err)
				}
				b := alive{i, r, byte(len(live) + 1), held}
				check(t, b, 0)
				if addr := uintptr(unsafe.Pointer(unsafe.SliceData(r.Bytes()))); addr%64 != 0 {
					t.Fatalf("block of %d at %x", size, addr)
				}
				for k := range r.Bytes() {
					r.Bytes()[k] = b.pattern
				}
				live = append(live, b)
			},
			"destroy": func(t *rapid.T) {
				if len(live) == 0 {
					t.Skip("no block")
				}
				n := rapid.IntRange(0, len(live)-1).Draw(t, "block")
				b := live[n]
				low := b.r.Low(b.i)
				check(t, b, b.pattern)
				who(t).Destroy(b.i, b.r)
				if s.Lookup(low) != nil {
					t.Fatal("found after its destruction")
				}
				if b.held {
					i, r, err := who(t).Create(b.r.Size(), false)
					testrun.OK(t, err)
					r.Bytes()[0] = ^b.pattern
					check(t, b, b.pattern) // the EDT that holds it still reads it
					who(t).Release(b.i, b.r, datablock.RW, nil)
					who(t).Destroy(i, r)
				}
				live[n] = live[len(live)-1]
				live = live[:len(live)-1]
			},
			"": func(*rapid.T) {},
		})
		for _, b := range live {
			check(t, b, b.pattern)
		}
	})
}

func TestMemoryLimit(t *testing.T) {
	const limit = 4 << 20
	s, locals := newStore(t, limit, 1)
	l := locals[0]
	var held uint64
	var last uint32
	for {
		i, r, err := l.Create(100_000, false)
		if err != nil {
			testrun.Is(t, err, block.ErrNoMemory)
			break
		}
		if held += uint64(r.Size()); held > limit {
			t.Fatalf("%d bytes with a limit of %d", held, limit)
		}
		last = i
	}
	if held < limit/2 {
		t.Errorf("full after %d of %d bytes", held, limit)
	}
	l.Destroy(last, s.At(last))
	if i, r, err := l.Create(100_000, false); err != nil {
		t.Errorf("freed memory is not used again: %v", err)
	} else {
		l.Destroy(i, r)
	}
	if _, _, err := l.Create(2*limit, false); !errors.Is(err, block.ErrNoMemory) {
		t.Errorf("a block larger than the limit: %v", err)
	}
}

func TestTooLargeBlock(t *testing.T) {
	_, locals := newStore(t, 0, 1)
	for _, size := range []int{datablock.MaxSize + 1, 1 << 62} {
		if _, _, err := locals[0].Create(size, false); !errors.Is(err, block.ErrNoMemory) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
