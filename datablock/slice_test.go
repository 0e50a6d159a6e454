package datablock_test

import (
	"reflect"
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
	l.Init(&s, nil)
	i, r, err := l.Create(size, false)
	testrun.OK(t, err)
	d := dep.State{ID: guid.FromWords(high, r.Low(i)), Access: dep.In(uint8(mode), dep.Held)}
	r.ShowMemory(&d, 0)
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

type holdsPointer struct {
	n     int
	Inner struct{ Names [2]string }
}

func TestPointerIn(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"":                                                       reflect.TypeFor[[3]struct{ A, B complex64 }](),
		"*int is or holds a pointer":                             reflect.TypeFor[*int](),
		"string is or holds a pointer":                           reflect.TypeFor[[2]string](),
		"[]uint8 is or holds a pointer":                          reflect.TypeFor[[]byte](),
		"map[int]int is or holds a pointer":                      reflect.TypeFor[map[int]int](),
		"chan int is or holds a pointer":                         reflect.TypeFor[chan int](),
		"func() is or holds a pointer":                           reflect.TypeFor[func()](),
		"interface {} is or holds a pointer":                     reflect.TypeFor[any](),
		"unsafe.Pointer is or holds a pointer":                   reflect.TypeFor[unsafe.Pointer](),
		"uintptr may hold an address":                            reflect.TypeFor[uintptr](),
		"field Inner: field Names: string is or holds a pointer": reflect.TypeFor[holdsPointer](),
	} {
		testrun.Equal(t, want, datablock.PointerIn(typ), "pointer in %v", typ)
	}
	_ = holdsPointer{n: 1}
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
