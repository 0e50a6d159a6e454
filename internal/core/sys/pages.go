package sys

import "os"

// HugePage is the alignment and unit of [UseHugePages].
const HugePage = 2 << 20

// Page is the size of the system's pages, the unit of [Reserve], [Clear] and [Protect].
var Page = os.Getpagesize()

// A Protection says which accesses pages allow; its values are those of mprotect(2).
type Protection int

const (
	NoAccess  Protection = 0
	ReadOnly  Protection = 1
	ReadWrite Protection = 3
)
