package sys

import (
	"fmt"
	"os"
	"unsafe"

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

// MapSharedAt maps a part of a file that processes share at an address, if nothing is there. Memory comes with the
// first use.
func MapSharedAt(f *os.File, offset int64, bytes int, at uintptr) ([]byte, error) {
	var none unsafe.Pointer
	wanted := unsafe.Add(none, at)
	const how = unix.MAP_SHARED | unix.MAP_NORESERVE | unix.MAP_FIXED_NOREPLACE
	got, err := unix.MmapPtr(int(f.Fd()), offset, wanted, uintptr(bytes), unix.PROT_READ|unix.PROT_WRITE, how)
	if err == nil && got != wanted { // Linux before 4.17 takes the address for a wish
		_ = unix.MunmapPtr(got, uintptr(bytes))
		err = unix.EEXIST
	}
	if err != nil {
		return nil, fmt.Errorf("sys: map shared memory at %#x: %w", at, err)
	}
	memory := unsafe.Slice((*byte)(got), bytes)
	_ = unix.Madvise(memory, unix.MADV_DONTDUMP) // else only a core file is larger
	return memory, nil
}

// UnmapSharedAt gives back what [MapSharedAt] mapped.
func UnmapSharedAt(memory []byte) error {
	return unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(memory)), uintptr(len(memory)))
}

// Extend makes a file of [NewSharedFile] longer.
func Extend(f *os.File, bytes int64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && limit.Cur < uint64(bytes) {
		return fmt.Errorf("sys: %d bytes of shared memory: files may have %d (ulimit -f)", bytes, limit.Cur)
	}
	return f.Truncate(bytes)
}

// DropShared gives the memory behind whole pages of a shared file back, for all that have mapped them. It reports
// whether they are zeros now.
func DropShared(memory []byte) bool {
	return len(memory) == 0 || unix.Madvise(memory, unix.MADV_REMOVE) == nil
}
