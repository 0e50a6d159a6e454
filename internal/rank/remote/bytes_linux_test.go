package remote

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestBlockThatDoesNotChange: bytes that come back unchanged are not written again, because EDTs may be reading them.
func TestBlockThatDoesNotChange(t *testing.T) {
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(page) }()
	takeBytes(page, make([]byte, len(page))) // a write would be a fault

	block := make([]byte, 3)
	if takeBytes(block, []byte("new")); string(block) != "new" {
		t.Errorf("the block has %q", block)
	}
}
