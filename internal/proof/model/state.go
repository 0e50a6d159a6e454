package model

import (
	"encoding/binary"
	"slices"
)

// A state is the values of the shared words, and the local state of each process.
type state struct {
	memory Memory
	at     []int
}

func (s *state) clone() *state { return &state{slices.Clone(s.memory), slices.Clone(s.at)} }

// encode appends the state as bytes. Equal states have equal bytes.
func (s *state) encode(b []byte) []byte {
	for _, v := range s.memory {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	for _, at := range s.at {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
	}
	return b
}

// decode is the inverse of encode.
func (s *state) decode(b string) {
	half := func() int {
		v := int(b[0]) | int(b[1])<<8
		b = b[2:]
		return v
	}
	for k := range s.memory {
		s.memory[k] = int16(half())
	}
	for k := range s.at {
		s.at[k] = half()
		s.at[k] |= half() << 16
	}
}
