package shmem_test

import (
	"slices"
	"sync"
	"unsafe"

	"ocr/apps/shmem"
	"ocr/datablock/cell"
	"ocr/edt"
)

// A lazyWindow is the windows of one process, with a rank for each PE. Puts arrive only when they are flushed, the last
// first: as late, and in as bad an order, as on a network.
type lazyWindow struct {
	parts [][]byte
	me    int
	mu    sync.Mutex // EDTs of any PE's worker call
	puts  []lazyPut
}

type lazyPut struct {
	to, at int
	bytes  []byte
}

// lazily returns a Config whose PEs have lazy windows.
func lazily(cfg shmem.Config) shmem.Config {
	parts, windows := make([][]byte, cfg.PEs), make([]edt.Window, cfg.PEs)
	for pe := range parts {
		words := make([]uint64, shmem.WindowBytes(cfg, 1)/8)
		parts[pe] = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
		for i := range parts[pe] {
			parts[pe][i] = 0xff // what an earlier run may have left
		}
		windows[pe] = &lazyWindow{parts: parts, me: pe}
	}
	return cfg.InWindows(func(worker int) edt.Window { return windows[worker] })
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

func (w *lazyWindow) word(of, at int) *uint64 { return (*uint64)(unsafe.Pointer(&w.parts[of][at])) }

func (w *lazyWindow) Store(to, at, _ int, v uint64) { cell.Store(w.word(to, at), v) }

func (w *lazyWindow) Load(from, at, _ int) uint64 { return cell.Load(w.word(from, at)) }

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
