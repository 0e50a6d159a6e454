package datablock

import "fmt"

// A Mode says how an EDT accesses a block (OCR 1.2, §1.4.4).
type Mode uint8

const (
	// RW reads and writes; other EDTs may hold the block in RW or RO, and the program orders the writes itself. RW is the
	// default mode.
	RW Mode = iota
	// EW reads and writes; other EDTs may hold the block in RO only. EDTs in mode EW hold the block one after the other,
	// in an order that the program must not rely on.
	EW
	// RO reads; other EDTs may hold the block in any mode, and the EDT may or may not see what they write meanwhile. Over
	// ranks a read does not order the EDT's calls behind the writer's: they may fail with ErrStale or ErrDestroyed.
	RO
	// Const reads, and sees no write after its acquisition; other EDTs may hold the block in RO or Const only.
	Const
	// Null passes the block's GUID without access: a control dependence. It acquires nothing, so another slot of the EDT
	// may have the block in any mode.
	Null
	numModes
)

var modeNames = [numModes]string{"RW", "EW", "RO", "Const", "Null"}

func (m Mode) String() string {
	if m < numModes {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Valid reports whether m is one of the five modes.
func (m Mode) Valid() bool { return m < numModes }
