package ids

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// The high word of a GUID, see guid.GUID.
const (
	KindShift   = 8
	KindMask    = 7
	LabelBit    = 1 << 11
	versionBits = 8 << 12
	variantBit  = 1 << 63 // of the low word
)

// A Space is the set of GUIDs of one run: all share 48 random bits, so that a
// GUID kept from an earlier run is foreign to the next and never aliases one of
// its objects.
type Space struct{ base uint64 }

// NewSpace draws the bits of a new run.
func NewSpace() Space {
	u := uuid.New()
	return Space{binary.BigEndian.Uint64(u[:8])&^0xffff | versionBits}
}

// High returns the high word that all objects of a kind share in this run.
func (s Space) High(kind uint8) uint64 { return s.base | uint64(kind)<<KindShift }

// HighLabel returns the high word of labels for objects of a kind.
func (s Space) HighLabel(kind uint8) uint64 { return s.High(kind) | LabelBit }

const (
	// MaxLabels is how many labels a run has for objects of one kind, MaxRange how many
	// of them one range may have.
	MaxLabels = 1 << 62
	MaxRange  = 1 << 38
)

// Label returns the words of a label for objects of a kind. Each label of a kind has a
// number of its own, below [MaxLabels].
func (s Space) Label(kind uint8, number uint64) (hi, lo uint64) {
	return s.HighLabel(kind), variantBit | number
}

// LabelNumber returns the number of the label with this low word.
func LabelNumber(lo uint64) uint64 { return lo &^ variantBit }
