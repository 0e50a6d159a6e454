package kernel

import (
	"encoding/binary"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestSipHashVectors: the vectors of SipHash's reference implementation (key
// 00..0f, messages 00 01 02 ..) whose length is a number of words.
func TestSipHashVectors(t *testing.T) {
	const k0, k1 = 0x0706050403020100, 0x0f0e0d0c0b0a0908
	var words []int64
	for n, want := range []uint64{
		0x726fdb47dd0e0e31, 0x93f5f5799a932462, 0x3f2acc7f57c29bdb, 0xb8ad50c6f649af94,
		0x7127512f72f27cce, 0x0e3ea96b5304a7d0, 0xe612a3cb9ecba951, 0xb78dbfaf3a8d83bd,
	} {
		testrun.Equal(t, want, sipHash(k0, k1, words), "%d bytes", 8*n)
		message := make([]byte, 8)
		for i := range message {
			message[i] = byte(8*n + i)
		}
		words = append(words, int64(binary.LittleEndian.Uint64(message)))
	}
}

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
