package kernel

import "math/bits"

// Task Bench's key for SipHash: the bytes 01 02 .. 0f 00.
const (
	key0 = 0x0807060504030201
	key1 = 0x000f0e0d0c0b0a09
)

// Hash returns SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012) of the little-endian bytes
// of the values under Task Bench's key. Task Bench draws its random patterns and imbalances with it.
func Hash(values ...int64) uint64 {
	s := sipState{
		key0 ^ 0x736f6d6570736575, key1 ^ 0x646f72616e646f6d, key0 ^ 0x6c7967656e657261, key1 ^ 0x7465646279746573,
	}
	for _, v := range values {
		s.absorb(uint64(v))
	}
	s.absorb(uint64(len(values)) * 8 << 56) // the length in bytes, modulo 256
	s.v2 ^= 0xff
	for range 4 {
		s.round()
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

// Uniform returns the [Hash] of the values divided by 2^64.
func Uniform(values ...int64) float64 { return float64(Hash(values...)) * 0x1p-64 }

type sipState struct{ v0, v1, v2, v3 uint64 }

func (s *sipState) absorb(word uint64) {
	s.v3 ^= word
	s.round()
	s.round()
	s.v0 ^= word
}

func (s *sipState) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}
