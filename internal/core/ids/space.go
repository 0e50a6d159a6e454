package ids

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// The high word of a GUID, see guid.GUID.
const (
	KindShift   = 8
	KindMask    = 7
	versionBits = 8 << 12
	HomeShift   = 16
	HomeMask    = 0xffff
	RunShift    = 32
)

// A Space is the GUIDs of the objects of one run whose home is one rank: all share the random
// bits of the run, so that a GUID kept from an earlier run is foreign to the next and does not alias one of
// its objects.
type Space struct{ base uint64 }

// NewRun draws the bits of a new run.
func NewRun() uint32 {
	u := uuid.New()
	return binary.BigEndian.Uint32(u[:4])
}

// NewSpace is the space of a run and of a rank in it.
func NewSpace(run uint32, home int) Space {
	return Space{uint64(run)<<RunShift | uint64(home)&HomeMask<<HomeShift | versionBits}
}

// Of returns the space of the same run on another rank.
func (s Space) Of(home int) Space {
	return Space{s.base&^(HomeMask<<HomeShift) | uint64(home)&HomeMask<<HomeShift}
}

// Home returns the rank of a high word.
func Home(hi uint64) int { return int(hi >> HomeShift & HomeMask) }

// High returns the high word that all objects of a kind share in this run.
func (s Space) High(kind uint8) uint64 { return s.base | uint64(kind)<<KindShift }
