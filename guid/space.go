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

// Labels in the low word: the range's number, then the index in the range.
const (
	labelIndexBits = 38
	maxRanges      = 1 << 24
	// MaxRange is the largest number of labels in one range.
	MaxRange = 1 << labelIndexBits
)

// Label returns label number index of range number rng for objects of kind k;
// ok is false where either number is out of range.
func (s Space) Label(k Kind, rng, index uint64) (g GUID, ok bool) {
	if rng >= maxRanges || index >= MaxRange {
		return Error, false
	}
	return GUID{s.HighLabel(k), variantBit | rng<<labelIndexBits | index}, true
}

// LabelOf is the inverse of [Space.Label].
func LabelOf(label GUID) (rng, index uint64) {
	return label.lo &^ variantBit >> labelIndexBits, label.lo & (MaxRange - 1)
}
