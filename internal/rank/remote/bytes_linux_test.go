package remote

import (
	"testing"

	"golang.org/x/sys/unix"

	"ocr/internal/proof/testrun"
)

// TestBlockThatDoesNotChange: bytes that come back unchanged are not written again, because EDTs may be reading them.
func TestBlockThatDoesNotChange(t *testing.T) {
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
	testrun.OK(t, err)
	defer func() { _ = unix.Munmap(page) }()
	takeBytes(page, make([]byte, len(page))) // a write would be a fault

	block := make([]byte, 3)
	takeBytes(block, []byte("new"))
	testrun.Equal(t, "new", string(block))
}
