package datablock

import "fmt"

// A Mode says how an EDT accesses a block (OCR 1.2, §1.4.4).
type Mode uint8

const (
	// RW reads and writes; the program orders the writers itself. It is the
	// default mode, and runs together with RW and RO.
	RW Mode = iota
	// EW is the only writer from acquire to release. EDTs that want it at the
	// same time are serialised in the order in which they became runnable. It
	// runs together with RO.
	EW
	// RO reads, and may or may not see what others write meanwhile. It runs
	// together with every mode. Over ranks, what it sees of a write orders no
	// calls: one that relies on that may be ErrStale or ErrDestroyed.
	RO
	// Const reads, and sees no write that was made after it acquired. It runs
	// together with RO and Const.
	Const
	// Null passes the block's GUID and gives no access: a control dependence. As it
	// acquires nothing, another slot of the EDT may have the block in any mode.
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
