package shmem_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// A lazy window has parts in one process, a rank for each PE. What is put arrives when it is flushed, and not before,
// and the last first: as late, and in as bad an order, as a network may have it.
type lazyWindow struct {
	parts [][]byte
	me    int
	mu    sync.Mutex // any EDT of the PE's worker calls
	puts  []lazyPut
}

type lazyPut struct {
	to, at int
	bytes  []byte
}

// lazily returns a Config whose PEs have lazy windows.
func lazily(cfg shmem.Config) shmem.Config {
	parts := make([][]byte, cfg.PEs)
	for pe := range parts {
		words := make([]uint64, shmem.WindowBytes(cfg, 1)/8)
		parts[pe] = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	}
	windows := make([]edt.Window, cfg.PEs)
	for pe := range windows {
		windows[pe] = &lazyWindow{parts: parts, me: pe}
	}
	return cfg.InWindows(func(worker int) edt.Window {
		if worker >= len(windows) {
			worker = 0 // the EDT that makes the world need not be on a PE
		}
		return windows[worker]
	})
}

func (w *lazyWindow) Bytes() []byte { return w.parts[w.me] }

func (w *lazyWindow) Put(to, at int, src []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.puts = append(w.puts, lazyPut{to, at, slices.Clone(src)})
}

func (w *lazyWindow) Get(dst []byte, from, at int) { copy(dst, w.parts[from][at:]) }

func (w *lazyWindow) PutStrided(to, at int, src []byte, n, width, dstStride, srcStride int) {
	for i := range n {
		w.Put(to, at+i*dstStride*width, src[i*srcStride*width:][:width])
	}
}

func (w *lazyWindow) GetStrided(dst []byte, from, at int, n, width, dstStride, srcStride int) {
	for i := range n {
		w.Get(dst[i*dstStride*width:][:width], from, at+i*srcStride*width)
	}
}

func (w *lazyWindow) Store(to, at, width int, v uint64) {
	if p := unsafe.Pointer(&w.parts[to][at]); width == 4 {
		cell.Store((*uint32)(p), uint32(v))
	} else {
		cell.Store((*uint64)(p), v)
	}
}

func (w *lazyWindow) Load(from, at, width int) uint64 {
	p := unsafe.Pointer(&w.parts[from][at])
	if width == 4 {
		return uint64(cell.Load((*uint32)(p)))
	}
	return cell.Load((*uint64)(p))
}

func (w *lazyWindow) Flush(to int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range slices.Backward(w.puts) {
		if p.to == to {
			copy(w.parts[to][p.at:], p.bytes)
		}
	}
	w.puts = slices.DeleteFunc(w.puts, func(p lazyPut) bool { return p.to == to })
}

func (w *lazyWindow) Progress() {}

// What a PE has put is there when all have ended, though it has completed nothing: it is in the blocks then.
func TestPutsArriveByTheEnd(t *testing.T) {
	for kind, of := range kinds {
		const pes = 3
		put := shmem.NewProgram("",
			func(_ *edt.Ctx, pe *shmem.PE) { pe.Put((pe.Rank()+1)%pes, 8, message(100, pe.Rank(), 0)) })
		err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
			w := shmem.NewWorld(c, of(shmem.Config{PEs: pes, Bytes: 128}))
			end := c.NewTemplate("end", 0, pes+1, func(c *edt.Ctx, in edt.Args) guid.GUID {
				for pe := range pes {
					if got := w.Segment(in.Dep(pe))[8:108]; !bytes.Equal(got, message(100, (pe+pes-1)%pes, 0)) {
						t.Errorf("%s: PE %d has not got what was put", kind, pe)
					}
				}
				w.Destroy(c)
				c.Shutdown()
				return guid.Null
			})
			c.NewEDT(end, nil, append(w.Sources(), edt.From(w.Run(c, put), datablock.Null))...)
			return guid.Null
		}, runtime.Workers(pes))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A window is for one world at a time.
func TestOneWorldInAWindow(t *testing.T) {
	cfg := lazily(shmem.Config{PEs: 2, Bytes: 64})
	err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		shmem.NewWorld(c, cfg).Destroy(c)
		shmem.NewWorld(c, cfg)
		shmem.NewWorld(c, cfg)
		return guid.Null
	}, runtime.Workers(2))
	testrun.Fails(t, err, "the run's window is for one world at a time")
}
