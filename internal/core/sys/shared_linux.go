package sys

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// NewSharedFile makes a file of zeroed bytes that lies in memory and has no name in any
// directory: it is gone when the last process that has it open or mapped is.
func NewSharedFile(name string, bytes int) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("sys: make shared memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if err := f.Truncate(int64(bytes)); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("sys: make %d bytes of shared memory: %w", bytes, err)
	}
	return f, nil
}

// MapShared maps the first bytes of a file that processes share. Writes of one are seen by all. The
// file may be closed then.
func MapShared(f *os.File, bytes int) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("sys: map shared memory: %w", err)
	}
	if info.Size() < int64(bytes) {
		return nil, fmt.Errorf("sys: shared memory has %d bytes, need %d", info.Size(), bytes)
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("sys: map shared memory: %w", err)
	}
	return memory, nil
}

// UnmapShared gives back what [MapShared] mapped.
func UnmapShared(memory []byte) error { return unix.Munmap(memory) }
