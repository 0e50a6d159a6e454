//go:build mpi

package mpi

/*
#cgo nocallback ocr_put
#cgo nocallback ocr_get
#cgo nocallback ocr_put_strided
#cgo nocallback ocr_get_strided
#cgo nocallback ocr_flush
#cgo nocallback ocr_store
#cgo nocallback ocr_load
#cgo noescape ocr_put
#cgo noescape ocr_get
#cgo noescape ocr_put_strided
#cgo noescape ocr_get_strided
#include <stdlib.h>
#include "window.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"ocr/internal/rank"
)

// A oneSided is a window of MPI, for one run.
//
// Concurrency: process.calls is held during each call of MPI. Other ranks may write the memory at any time; programs
// synchronize their puts with their reads.
type oneSided struct {
	engine *Engine
	c      *C.ocr_window
	bytes  []byte
}

var _ rank.Windowed = (*Engine)(nil)

// opened is the window of MPI that this process has, nil for none. The next run uses it if it is large enough.
type opened struct {
	c     *C.ocr_window
	bytes int
}

// OpenWindow implements [rank.Windowed]. All ranks have opened windows of the same sizes, so the last window is large
// enough on all ranks, or on none.
func (e *Engine) OpenWindow(bytes int) (rank.Window, error) {
	p := e.process
	if p.window == nil || p.window.bytes < bytes {
		if err := e.replaceWindow(bytes); err != nil {
			return nil, err
		}
	}
	return &oneSided{e, p.window.c, unsafe.Slice((*byte)(unsafe.Pointer(p.window.c.base)), bytes)}, nil
}

// replaceWindow opens a window of MPI in place of the last one. MPI then waits for the other ranks while process.calls
// is held. So replaceWindow first waits until all ranks have called it: then no rank needs a message any more.
func (e *Engine) replaceWindow(bytes int) error {
	p := e.process
	e.agree()
	var wrong *C.char
	p.call(func() {
		if p.window != nil {
			p.closeWindow()
		}
		p.window = &opened{(*C.ocr_window)(C.calloc(1, C.sizeof_ocr_window)), bytes}
		if wrong = C.ocr_window_open(p.window.c, C.long(bytes)); wrong != nil {
			p.closeWindow() // all ranks do so; then the next run gets the error too
		}
	})
	if wrong != nil {
		return errors.New("mpi: " + C.GoString(wrong))
	}
	return nil
}

// agree returns when all ranks have called it.
func (e *Engine) agree() {
	request := (*C.MPI_Request)(C.calloc(1, C.sizeof_MPI_Request))
	defer C.free(unsafe.Pointer(request))
	e.process.call(func() { C.ocr_agree(request) })
	e.until(func() bool { return C.ocr_agreed(request) != 0 })
}

// closeWindow closes the window of MPI, a collective operation of all ranks. The caller holds calls.
func (p *process) closeWindow() {
	C.ocr_window_close(p.window.c)
	C.free(unsafe.Pointer(p.window.c))
	p.window = nil
}

func (w *oneSided) Bytes() []byte { return w.bytes }

// lock and unlock enclose each call of MPI. unlock then sends what has become due.
func (w *oneSided) lock() { w.engine.process.calls.Lock() }

func (w *oneSided) unlock() {
	p := w.engine.process
	p.calls.Unlock()
	p.send()
}

const mostBytes = 1 << 30 // of one call: MPI counts with a C int

func (w *oneSided) Put(to, at int, src []byte) {
	for part := range slices.Chunk(src, mostBytes) {
		w.lock()
		C.ocr_put(w.c, C.int(to), C.long(at), unsafe.Pointer(&part[0]), C.int(len(part)))
		w.unlock()
		at += len(part)
	}
}

func (w *oneSided) Get(dst []byte, from, at int) {
	for part := range slices.Chunk(dst, mostBytes) {
		w.lock()
		C.ocr_get(w.c, unsafe.Pointer(&part[0]), C.int(from), C.long(at), C.int(len(part)))
		w.unlock()
		at += len(part)
	}
}

// checkStrided panics if a strided put or get has a number that MPI, which counts with a C int, would cut.
func checkStrided(n, dstStride, srcStride int) {
	if most := max(n, dstStride, srcStride); most > math.MaxInt32 {
		panic(fmt.Sprintf("mpi: a strided put or get of %d elements or of such a stride: at most %d", most, math.MaxInt32))
	}
}

func (w *oneSided) PutStrided(to, at int, src []byte, n, width, dstStride, srcStride int) {
	if n == 0 {
		return
	}
	checkStrided(n, dstStride, srcStride)
	w.lock()
	C.ocr_put_strided(w.c, C.int(to), C.long(at), unsafe.Pointer(&src[0]), C.int(n), C.int(width), C.int(dstStride),
		C.int(srcStride))
	w.unlock()
}

func (w *oneSided) GetStrided(dst []byte, from, at int, n, width, dstStride, srcStride int) {
	if n == 0 {
		return
	}
	checkStrided(n, dstStride, srcStride)
	w.lock()
	C.ocr_get_strided(w.c, unsafe.Pointer(&dst[0]), C.int(from), C.long(at), C.int(n), C.int(width), C.int(dstStride),
		C.int(srcStride))
	w.unlock()
}

func (w *oneSided) Store(to, at, width int, v uint64) {
	w.lock()
	C.ocr_store(w.c, C.int(to), C.long(at), C.int(width), C.ulong(v))
	w.unlock()
}

func (w *oneSided) Load(from, at, width int) uint64 {
	w.lock()
	v := C.ocr_load(w.c, C.int(from), C.long(at), C.int(width))
	w.unlock()
	return uint64(v)
}

func (w *oneSided) Flush(to int) {
	w.lock()
	C.ocr_flush(w.c, C.int(to))
	w.unlock()
}

// Progress tests for packets: any call of MPI makes progress with all its operations.
func (w *oneSided) Progress() { w.engine.look() }
