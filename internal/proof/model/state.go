package model

import (
	"encoding/binary"
	"slices"
)

// A state is the shared memory, and of each process where it is and which of its stores the others do not see yet.
type state struct {
	memory  Memory
	at      []int
	pending [][]store
}

type store struct {
	at    Word
	value int16
}

func (s *state) clone() *state {
	c := &state{slices.Clone(s.memory), slices.Clone(s.at), slices.Clone(s.pending)}
	for k := range c.pending {
		c.pending[k] = slices.Clip(c.pending[k])
	}
	return c
}

// encode appends the state's bytes: equal states have equal ones.
func (s *state) encode(b []byte) []byte {
	for _, v := range s.memory {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	for k, at := range s.at {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		b = append(b, byte(len(s.pending[k])))
		for _, st := range s.pending[k] {
			b = binary.LittleEndian.AppendUint16(append(b, byte(st.at)), uint16(st.value))
		}
	}
	return b
}

// decode is the inverse of encode.
func (s *state) decode(b string) {
	half := func() uint16 {
		v := uint16(b[0]) | uint16(b[1])<<8
		b = b[2:]
		return v
	}
	for k := range s.memory {
		s.memory[k] = int16(half())
	}
	for k := range s.at {
		low := half()
		s.at[k] = int(low) | int(half())<<16
		n := b[0]
		b = b[1:]
		s.pending[k] = nil
		for range n {
			at := Word(b[0])
			b = b[1:]
			s.pending[k] = append(s.pending[k], store{at, int16(half())})
		}
	}
}

// see is what process k reads: its own stores first.
func (s *state) see(k int, w Word) int16 {
	for n := len(s.pending[k]) - 1; n >= 0; n-- {
		if s.pending[k][n].at == w {
			return s.pending[k][n].value
		}
	}
	return s.memory[w]
}
