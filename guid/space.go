package guid

import (
	"encoding/binary"

	"github.com/google/uuid"
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
func (s Space) High(k Kind) uint64 { return s.base | uint64(k)<<kindShift }

// HighLabel returns the high word of labels for objects of a kind.
func (s Space) HighLabel(k Kind) uint64 { return s.High(k) | labelBit }

const (
	// MaxLabels is how many labels a run has for objects of one kind, MaxRange how many
	// of them one range may have.
	MaxLabels = 1 << 62
	MaxRange  = 1 << 38
)

// Label returns a label for objects of kind k. Each has a number of its own, below
// [MaxLabels].
func (s Space) Label(k Kind, number uint64) GUID { return GUID{s.HighLabel(k), variantBit | number} }

// LabelOf returns the number of a label.
func LabelOf(label GUID) (number uint64) { return label.lo &^ variantBit }
