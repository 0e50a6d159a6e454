package sys

import (
	"os"

	"golang.org/x/sys/unix"
)

// Columns returns the width of a terminal in characters; 0 for another file.
func Columns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
