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

// A Space is the GUIDs of the objects of one run whose home is one rank. All have the random bits of the run: so a GUID
// kept from an earlier run is foreign to the next run, and names none of its objects.
type Space struct{ base uint64 }

// NewRun draws the random bits of a new run.
func NewRun() uint32 {
	u := uuid.New()
	return binary.BigEndian.Uint32(u[:4])
}

// NewSpace returns the space of a run and a rank.
func NewSpace(run uint32, home int) Space {
	return Space{uint64(run)<<RunShift | uint64(home)&HomeMask<<HomeShift | versionBits}
}

// Of returns the space of the same run on another rank.
func (s Space) Of(home int) Space {
	return Space{s.base&^(HomeMask<<HomeShift) | uint64(home)&HomeMask<<HomeShift}
}

// Home returns the rank in a high word.
func Home(hi uint64) int { return int(hi >> HomeShift & HomeMask) }

// High returns the high word of all objects of this kind in the space.
func (s Space) High(kind uint8) uint64 { return s.base | uint64(kind)<<KindShift }
