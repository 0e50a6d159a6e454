package trial

import (
	"testing"
	"unsafe"
)

// TestOwn: slices that are allocated in succession share no unit of 128 bytes with each other, or with other memory of
// their sizes.
func TestOwn(t *testing.T) {
	t.Run("8 bytes", testOwn[uint64])
	t.Run("16 bytes", testOwn[[2]uint64])
	t.Run("24 bytes", testOwn[[]uint64])
	t.Run("40 bytes", testOwn[[5]uint64])
	t.Run("136 bytes", testOwn[[17]uint64])
}

func testOwn[T any](t *testing.T) {
	var element T
	size := unsafe.Sizeof(element)
	of := make(map[uintptr]int)
	take := func(all []T, owner int) {
		at := uintptr(unsafe.Pointer(&all[0]))
		for unit := at / apart; unit <= (at+uintptr(len(all))*size-1)/apart; unit++ {
			if other, taken := of[unit]; taken {
				t.Fatalf("slices %d and %d share 128 bytes", other, owner)
			}
			of[unit] = owner
		}
		if apart%size == 0 && at%apart != 0 {
			t.Fatalf("slice %d begins at %#x", owner, at)
		}
	}
	var kept [][]T
	for k := range 200 {
		kept = append(kept, Own[T](1+k%7), make([]T, 1+k%7))
		take(kept[2*k], k)
	}
	for k := 1; k < len(kept); k += 2 {
		at := uintptr(unsafe.Pointer(&kept[k][0]))
		if owner, taken := of[at/apart]; taken {
			t.Fatalf("slice %d shares 128 bytes with another slice", owner)
		}
	}
}
