package sys

import "os"

// HugePage is the alignment and unit of [UseHugePages].
const HugePage = 2 << 20

// Page is the unit of what may be done with memory.
var Page = os.Getpagesize()

// A Protection says what may be done with pages: the values are those of mprotect(2).
type Protection int

const (
	NoAccess  Protection = 0
	ReadOnly  Protection = 1
	ReadWrite Protection = 3
)
