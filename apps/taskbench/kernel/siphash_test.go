package kernel

import (
	"testing"

	"ocr/internal/proof/testrun"
)

// hashes are OpenSSL's SIPHASH of some values under Task Bench's key.
var hashes = []struct {
	values []int64
	want   uint64
}{
	{[]int64{0, 0, 0}, 0xefe88ae871c90c00},
	{[]int64{0, 1, 2}, 0x7ae83b93a78124ac},
	{[]int64{3, 999, 7}, 0x615226d312aa4989},
	{[]int64{0, 3, 1, 5, 2}, 0xd5de92943886277f},
	{[]int64{-1, 1<<63 - 1, -1 << 63}, 0xf6c6085d8a40f12b},
}

func TestHash(t *testing.T) {
	for _, tt := range hashes {
		testrun.Equal(t, tt.want, Hash(tt.values...), "Hash(%v)", tt.values)
		if got, want := Uniform(tt.values...), float64(tt.want)/(1<<32)/(1<<32); got != want {
			t.Errorf("Uniform(%v) = %v, want %v", tt.values, got, want)
		}
	}
}
