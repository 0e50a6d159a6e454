package guid

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"ocr/internal/core/ids"
)

// A GUID names one object: an EDT, a template, an event or a data block. The zero value is [Null].
//
// Layout, most significant bit first (RFC 9562, UUID version 8):
//
//	hi: run 32 | home 16 | version 4 (8) | 0 | kind 3 | 0 (8)
//	lo: variant 2 (10) | generation 30 | index 32
//
// The variant bits set the top bit of an object's low word and clear the next one. Events rely on that to tell a block
// from a marker.
type GUID struct{ hi, lo uint64 }

var (
	// Null stands for no object: a dependence without a block, an EDT that returns nothing (OCR NULL_GUID).
	Null = GUID{}
	// Uninitialized stands for a slot that a later add-dependence connects (OCR UNINITIALIZED_GUID).
	Uninitialized = GUID{^uint64(0), ^uint64(1)}
	// Error names no object (OCR ERROR_GUID).
	Error = GUID{^uint64(0), ^uint64(0)}
)

// A Kind is the kind of object that a GUID names.
type Kind uint8

// The kinds of objects. KindNone is the kind of the reserved GUIDs.
const (
	KindNone Kind = iota
	KindEDT
	KindTemplate
	KindEvent
	KindBlock
)

var kindNames = [...]string{"none", "EDT", "template", "event", "data block"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// IsNull reports whether g is [Null].
func (g GUID) IsNull() bool { return g.hi|g.lo == 0 }

// IsUninitialized reports whether g is [Uninitialized].
func (g GUID) IsUninitialized() bool { return g == Uninitialized }

// IsError reports whether g is [Error].
func (g GUID) IsError() bool { return g == Error }

func reserved(g GUID) bool { return g == Null || g == Uninitialized || g == Error }

// Kind returns the kind of object that g names, destroyed or not; KindNone for reserved GUIDs and unknown kinds.
func (g GUID) Kind() Kind {
	if reserved(g) {
		return KindNone
	}
	if k := Kind(g.hi >> ids.KindShift & ids.KindMask); k <= KindBlock {
		return k
	}
	return KindNone
}

// Home returns the number of the rank on which the object lives, 0 if there is only one.
func (g GUID) Home() int { return ids.Home(g.hi) }

// Compare is a total order on GUIDs, without further meaning, in the form of package cmp.
func (g GUID) Compare(h GUID) int { return cmp.Or(cmp.Compare(g.hi, h.hi), cmp.Compare(g.lo, h.lo)) }

// Words returns the two halves of g, for instance as parameters of an EDT.
func (g GUID) Words() (hi, lo uint64) { return g.hi, g.lo }

// FromWords is the inverse of [GUID.Words].
func FromWords(hi, lo uint64) GUID { return GUID{hi, lo} }

// UUID returns g as a UUID, for messages and files.
func (g GUID) UUID() (u uuid.UUID) {
	binary.BigEndian.PutUint64(u[:8], g.hi)
	binary.BigEndian.PutUint64(u[8:], g.lo)
	return u
}

// String returns the text form of a UUID.
func (g GUID) String() string { return g.UUID().String() }

// MarshalText implements [encoding.TextMarshaler].
func (g GUID) MarshalText() ([]byte, error) { return g.UUID().MarshalText() }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (g *GUID) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*g = parsed
	return nil
}

// Parse reads the text of a GUID: a reserved one, or a UUID of version 8 in the canonical form of 36 characters.
func Parse(s string) (GUID, error) {
	if len(s) != 36 {
		return Error, fmt.Errorf("guid: parse %q: want 36 characters such as %s", s, Null)
	}
	u, err := uuid.Parse(s)
	if err != nil {
		return Error, fmt.Errorf("guid: parse %q: %w", s, err)
	}
	g := GUID{binary.BigEndian.Uint64(u[:8]), binary.BigEndian.Uint64(u[8:])}
	if reserved(g) {
		return g, nil
	}
	if u.Version() != 8 || u.Variant() != uuid.RFC4122 {
		return Error, fmt.Errorf("guid: parse %q: a UUID of version %d, want version 8", s, u.Version())
	}
	return g, nil
}
