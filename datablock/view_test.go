package datablock_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
)

// depOf makes a block and an EDT's dependence on it.
func depOf(t testing.TB, size int, mode datablock.Mode) (datablock.Dep, []byte) {
	t.Helper()
	s, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], size, false)
	var d datablock.Dep
	d.Set(guid.FromWords(s.High(), r.Low(i)), r, mode, datablock.Held)
	return d, r.Bytes()
}

func TestDep(t *testing.T) {
	d, b := depOf(t, 24, datablock.EW)
	if d.IsNull() || d.GUID().Kind() != guid.KindBlock || d.Mode() != datablock.EW || d.Size() != 24 || d.Hold() != datablock.Held {
		t.Errorf("%v of kind %v, mode %v, %d bytes", d.GUID(), d.GUID().Kind(), d.Mode(), d.Size())
	}
	if unsafe.SliceData(d.Bytes()) != unsafe.SliceData(b) || len(d.Bytes()) != 24 {
		t.Error("other bytes than the block's")
	}
	id := d.GUID()
	d.SetHold(datablock.Downgraded)
	if d.Bytes() == nil || d.Hold() != datablock.Downgraded {
		t.Error("a downgrade took read access away")
	}
	d.SetHold(datablock.NotHeld)
	if d.Bytes() != nil || d.Size() != 0 || d.GUID() != id || d.Hold() != datablock.NotHeld {
		t.Error("access after the release")
	}
}

func TestDepWithoutAccess(t *testing.T) {
	var none datablock.Dep
	null, _ := depOf(t, 24, datablock.Null)
	for name, d := range map[string]*datablock.Dep{"none": &none, "mode Null": &null} {
		if d.Bytes() != nil || d.Size() != 0 || d.IsNull() != (name == "none") || len(datablock.Slice[int32](d)) != 0 {
			t.Errorf("%s: %d bytes, null %v", name, d.Size(), d.IsNull())
		}
	}
}

func TestSetHeldIsSet(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], 40, false)
	var a datablock.Dep
	a.Set(guid.FromWords(s.High(), r.Low(i)), r, datablock.Const, datablock.Shared)
	for _, line := range []uint64{0, r.Line()} {
		var b datablock.Dep
		b.SetHeld(s.High(), r.Low(i), r, line, datablock.Const, datablock.Shared)
		if a != b {
			t.Errorf("line %d: %+v and %+v", line, a, b)
		}
	}
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
	checkSlice[int8](t, &d, 30)
	checkSlice[uint16](t, &d, 15)
	checkSlice[int32](t, &d, 7)
	checkSlice[float32](t, &d, 7)
	checkSlice[uint64](t, &d, 3)
	checkSlice[celsius](t, &d, 3)
	checkSlice[tag](t, &d, 30)
	checkSlice[complex128](t, &d, 1)
	if v := datablock.Slice[uint16](&d); v[1] != 3<<8|2 {
		t.Errorf("word 1 is %x", v[1])
	}
}

func checkSlice[T datablock.Number](t *testing.T, d *datablock.Dep, want int) {
	t.Helper()
	v, w := datablock.Slice[T](d), datablock.SliceOf[T](d.Bytes())
	if len(v) != want || len(w) != want || unsafe.Pointer(&v[0]) != unsafe.Pointer(&d.Bytes()[0]) || &v[0] != &w[0] {
		t.Errorf("%T: %d and %d elements, want %d", v, len(v), len(w), want)
	}
	if n := len(datablock.SliceOf[T](nil)); n != 0 {
		t.Errorf("%T: %d elements of no bytes", v, n)
	}
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
	flatView.At(&d).Who = d.GUID()
	if v := flatView.At(&d); v.Grid[2][1] != 2.5 || flatView.Of(b).Who != d.GUID() {
		t.Errorf("%+v", v)
	}
	b[len(b)-1] = 9
	if rest := flatView.Rest(&d); len(rest) != 21-(8-size%8)%8 || rest[len(rest)-1] != 9 {
		t.Errorf("%d bytes behind a view of %d", len(rest), size)
	}
	exact, _ := depOf(t, size, datablock.RW)
	if flatView.At(&exact).on || len(flatView.Rest(&exact)) != 0 {
		t.Error("a block of exactly the view's size")
	}
}

func TestViewRestIsAligned(t *testing.T) {
	odd := datablock.NewView[[5]byte]()
	for size, want := range map[int]int{5: 0, 7: 0, 8: 0, 9: 1, 24: 16} {
		d, _ := depOf(t, size, datablock.RW)
		if got := len(odd.Rest(&d)); got != want {
			t.Errorf("%d bytes: %d behind the view, want %d", size, got, want)
		}
	}
}

func TestViewOfTooSmallBlock(t *testing.T) {
	d, b := depOf(t, flatView.Size()-1, datablock.RW)
	var none datablock.Dep
	for name, f := range map[string]func(){
		"At":      func() { flatView.At(&d) },
		"Of":      func() { flatView.Of(b) },
		"Rest":    func() { flatView.Rest(&d) },
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

// panics returns what f panicked with.
func panics(f func()) (msg string) {
	defer func() {
		if v := recover(); v != nil {
			msg = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}
