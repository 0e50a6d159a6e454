package datablock_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// high stands for the high GUID word of a run's blocks.
const high = uint64(guid.KindBlock) << ids.KindShift

// depOf makes a block and an EDT's dependence on it.
func depOf(t testing.TB, size int, mode datablock.Mode) (*datablock.Dep, []byte) {
	t.Helper()
	var s block.Store
	var l block.Local
	s.Open(0)
	t.Cleanup(s.Close)
	l.Init(&s)
	i, r, err := l.Create(size, false)
	testrun.OK(t, err)
	var d dep.State
	block.Describe(&d, guid.FromWords(high, r.Low(i)), r, mode, dep.Held)
	return block.Show(&d), r.Bytes()
}

type (
	celsius float64
	tag     uint8
)

func TestSlices(t *testing.T) {
	d, b := depOf(t, 30, datablock.RW)
	for k := range b {
		b[k] = byte(k)
	}
	checkSlice[int8](t, d, 30)
	checkSlice[uint16](t, d, 15)
	checkSlice[int32](t, d, 7)
	checkSlice[float32](t, d, 7)
	checkSlice[uint64](t, d, 3)
	checkSlice[celsius](t, d, 3)
	checkSlice[tag](t, d, 30)
	checkSlice[complex128](t, d, 1)
	testrun.Equal(t, 3<<8|2, datablock.Slice[uint16](d)[1], "word 1")
}

func checkSlice[T datablock.Number](t *testing.T, d *datablock.Dep, want int) {
	t.Helper()
	v, w := datablock.Slice[T](d), datablock.SliceOf[T](d.Bytes())
	if len(v) != want || len(w) != want || unsafe.Pointer(&v[0]) != unsafe.Pointer(&d.Bytes()[0]) || &v[0] != &w[0] {
		t.Errorf("%T: %d and %d elements, want %d", v, len(v), len(w), want)
	}
	testrun.Equal(t, 0, len(datablock.SliceOf[T](nil)), "%T: elements in no bytes", v)
}

type flat struct {
	Count int32
	Who   guid.GUID
	Grid  [3][2]float64
	on    bool
}

var flatView = datablock.NewView[flat]()

func TestView(t *testing.T) {
	size := flatView.Size()
	if size != int(unsafe.Sizeof(flat{})) {
		t.Fatalf("size %d", size)
	}
	d, b := depOf(t, size+21, datablock.RW)
	flatView.Of(b).Grid[2][1] = 2.5
	flatView.At(d).Who = d.GUID()
	if v := flatView.At(d); v.Grid[2][1] != 2.5 || flatView.Of(b).Who != d.GUID() {
		t.Errorf("%+v", v)
	}
	b[len(b)-1] = 9
	if rest := flatView.Rest(d); len(rest) != 21-(8-size%8)%8 || rest[len(rest)-1] != 9 {
		t.Errorf("%d bytes behind a view of %d", len(rest), size)
	}
	exact, _ := depOf(t, size, datablock.RW)
	if flatView.At(exact).on || len(flatView.Rest(exact)) != 0 {
		t.Error("a block of exactly the view's size")
	}
}

func TestViewRestIsAligned(t *testing.T) {
	odd := datablock.NewView[[5]byte]()
	for size, want := range map[int]int{5: 0, 7: 0, 8: 0, 9: 1, 24: 16} {
		d, _ := depOf(t, size, datablock.RW)
		testrun.Equal(t, want, len(odd.Rest(d)), "%d bytes: behind the view", size)
	}
}

func TestViewOfTooSmallBlock(t *testing.T) {
	d, b := depOf(t, flatView.Size()-1, datablock.RW)
	var none datablock.Dep
	for name, f := range map[string]func(){
		"At":      func() { flatView.At(d) },
		"Of":      func() { flatView.Of(b) },
		"Rest":    func() { flatView.Rest(d) },
		"At none": func() { flatView.At(&none) },
	} {
		if msg := panics(f); !strings.Contains(msg, "view of datablock_test.flat: needs") {
			t.Errorf("%s: %q", name, msg)
		}
	}
}

type holdsPointer struct {
	n     int
	Inner struct{ Names [2]string }
}

func TestViewsHoldNoPointers(t *testing.T) {
	for name, f := range map[string]func(){
		"*int":           func() { datablock.NewView[*int]() },
		"string":         func() { datablock.NewView[string]() },
		"[]uint8":        func() { datablock.NewView[[]byte]() },
		"map[int]int":    func() { datablock.NewView[map[int]int]() },
		"chan int":       func() { datablock.NewView[chan int]() },
		"func()":         func() { datablock.NewView[func()]() },
		"interface {}":   func() { datablock.NewView[any]() },
		"unsafe.Pointer": func() { datablock.NewView[unsafe.Pointer]() },
		"field Inner":    func() { datablock.NewView[holdsPointer]() },
		"uintptr":        func() { datablock.NewView[uintptr]() },
	} {
		if msg := panics(f); !strings.Contains(msg, name) || !strings.Contains(msg, "flat data") {
			t.Errorf("%s: %q", name, msg)
		}
	}
	_ = holdsPointer{n: 1}
}

func panics(f func()) (msg string) {
	defer func() {
		if v := recover(); v != nil {
			msg = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

func TestModeText(t *testing.T) {
	for m, want := range map[datablock.Mode]string{
		datablock.RW: "RW", datablock.EW: "EW", datablock.RO: "RO", datablock.Const: "Const", datablock.Null: "Null",
		9: "Mode(9)",
	} {
		if m.String() != want || m.Valid() != (m != 9) {
			t.Errorf("mode %d: %q, valid %v", m, m, m.Valid())
		}
	}
}
