package sys

import (
	"os"

	"golang.org/x/sys/unix"
)

// TotalMemory returns the bytes of memory that this process can use: the least of the machine's RAM, the limits of its
// control groups (version 1 and 2), and half of [AddressSpace]. 0 means unknown.
func TotalMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	ram := uint64(info.Totalram) * uint64(info.Unit)
	if space := AddressSpace(); space != 0 {
		ram = min(ram, space/2)
	}
	if limit, ok := memoryLimit(controlGroups(os.DirFS("/"), "memory")); ok {
		return min(ram, limit)
	}
	return ram
}

// AddressSpace returns how many bytes of addresses this process may use, as set by ulimit -v; 0 means no limit, or
// unknown.
func AddressSpace() uint64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return limit.Cur
}

// memoryLimit returns the smallest limit of the groups.
func memoryLimit(groups []controlGroup) (least uint64, ok bool) {
	for _, g := range groups {
		name := "memory.limit_in_bytes"
		if g.v2 {
			name = "memory.max"
		}
		if n, found := g.number(name); found && (!ok || uint64(n) < least) {
			least, ok = uint64(n), true
		}
	}
	return least, ok
}
