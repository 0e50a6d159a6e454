package block_test

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

// TestDepIsItsState: Show and ShowAll rely on both types' having one layout.
func TestDepIsItsState(t *testing.T) {
	shown, state := reflect.TypeFor[datablock.Dep](), reflect.TypeFor[dep.State]()
	if shown.NumField() != 2 || shown.Field(0).Type.Size() != 0 || shown.Field(1).Type != state ||
		shown.Field(1).Offset != 0 || shown.Size() != state.Size() || shown.Align() != state.Align() {
		t.Errorf("a datablock.Dep is not a dep.State alone: %v", shown)
	}
	all := make([]dep.State, 3)
	all[2].Size = 7
	if deps := block.ShowAll(&all); len(deps) != 3 || deps[2].Size() != 7 {
		t.Errorf("shown as %v", deps)
	}
	testrun.Equal(t, 0, len(block.ShowAll(new([]dep.State))), "dependences shown of none")
}

// high stands for the high GUID word of a run's blocks.
const high = uint64(guid.KindBlock) << ids.KindShift

// stateOf makes a block and an EDT's dependence on it.
func stateOf(t testing.TB, size int, mode datablock.Mode) (*dep.State, []byte) {
	t.Helper()
	_, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], size, false)
	d := &dep.State{ID: guid.FromWords(high, r.Low(i)), Access: dep.In(uint8(mode), dep.Held)}
	if mode != datablock.Null {
		r.ShowMemory(d, 0)
	}
	return d, r.Bytes()
}

func TestDep(t *testing.T) {
	state, b := stateOf(t, 24, datablock.EW)
	d := block.Show(state)
	if d.IsNull() || d.GUID().Kind() != guid.KindBlock || d.Mode() != datablock.EW || d.Size() != 24 ||
		state.Access.Hold() != dep.Held {
		t.Errorf("%v of kind %v, mode %v, %d bytes", d.GUID(), d.GUID().Kind(), d.Mode(), d.Size())
	}
	if unsafe.SliceData(d.Bytes()) != unsafe.SliceData(b) || len(d.Bytes()) != 24 {
		t.Error("other bytes than the block's")
	}
	id := d.GUID()
	state.SetHold(dep.Downgraded)
	if d.Bytes() == nil || state.Access.Hold() != dep.Downgraded {
		t.Error("a downgrade took read access away")
	}
	state.SetHold(dep.NotHeld)
	if d.Bytes() != nil || d.Size() != 0 || d.GUID() != id || state.Access.Hold() != dep.NotHeld {
		t.Error("access after the release")
	}
}

func TestDepWithoutAccess(t *testing.T) {
	null, _ := stateOf(t, 24, datablock.Null)
	for name, s := range map[string]*dep.State{"none": {}, "mode Null": null} {
		d := block.Show(s)
		if d.Bytes() != nil || d.Size() != 0 || d.IsNull() != (name == "none") || len(datablock.Slice[int32](d)) != 0 {
			t.Errorf("%s: %d bytes, null %v", name, d.Size(), d.IsNull())
		}
	}
}

func TestShowMemoryOfALine(t *testing.T) {
	_, locals := newStore(t, 0, 1)
	_, r := create(t, locals[0], 40, false)
	var a, b dep.State
	r.ShowMemory(&a, 0)
	if r.ShowMemory(&b, r.Line()); a != b || len(a.Bytes()) != 40 {
		t.Errorf("%+v, by its line %+v", a, b)
	}
}
