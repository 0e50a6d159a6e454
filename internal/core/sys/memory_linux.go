package sys

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// TotalMemory returns the bytes of memory this process can use: the machine's
// RAM, or the smallest limit among its control groups (version 1 and 2) if
// that is less. 0 means unknown.
func TotalMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	ram := uint64(info.Totalram) * uint64(info.Unit)
	if limit, ok := cgroupLimit(os.DirFS("/")); ok {
		return min(ram, limit)
	}
	return ram
}

// AddressSpace returns how many bytes of addresses this process may use, as ulimit -v
// sets it; 0 means as many as there are, or unknown.
func AddressSpace() uint64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return limit.Cur
}

// cgroupLimit returns the smallest memory limit among this process's control
// groups and their ancestors, read below root, the file system's top directory.
// In a container the path in /proc/self/cgroup may be the host's; the walk up
// then still ends at the mount's own top, which is the container's group.
func cgroupLimit(root fs.FS) (limit uint64, ok bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for _, file := range limitFiles(fields[1]) {
			for dir := path.Clean("/" + fields[2]); ; dir = path.Dir(dir) {
				if l, found := readLimit(root, path.Join(file.mount, dir, file.name)); found && (!ok || l < limit) {
					limit, ok = l, true
				}
				if dir == "/" {
					break
				}
			}
		}
	}
	return limit, ok
}

type limitFile struct{ mount, name string }

// limitFiles tells where a hierarchy's limits are mounted, by the controllers
// named in its line of /proc/self/cgroup. Version 2 names none; it is mounted at
// the top, or beside version 1's hierarchies.
func limitFiles(controllers string) []limitFile {
	switch {
	case controllers == "":
		return []limitFile{{"sys/fs/cgroup", "memory.max"}, {"sys/fs/cgroup/unified", "memory.max"}}
	case slices.Contains(strings.Split(controllers, ","), "memory"):
		return []limitFile{{"sys/fs/cgroup/" + controllers, "memory.limit_in_bytes"}}
	}
	return nil
}

// readLimit returns the limit in a file; there is none when the file is missing
// or holds version 2's "max". Version 1 writes "none" as a number far above any
// RAM, which loses against the RAM itself.
func readLimit(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return limit, err == nil
}
