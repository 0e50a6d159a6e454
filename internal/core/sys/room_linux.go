package sys

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// pidGroups are the control groups that may limit the number of threads; a process rarely changes its groups.
var pidGroups = sync.OnceValue(func() []controlGroup { return controlGroups(os.DirFS("/"), "pids") })

// LacksThreads says why the process cannot start that many more threads, "" if it can or nothing is known: it reads a
// control group's pids.max, and ulimit -u. (Go ends the process if a thread cannot be started.)
func LacksThreads(wanted int) string {
	if why := lacksPids(pidGroups(), wanted); why != "" {
		return why
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NPROC, &limit) != nil || unix.Geteuid() == 0 { // root has no limit
		return ""
	}
	return lacksUserThreads(os.DirFS("/proc"), unix.Getuid(), limit.Cur, wanted)
}

func lacksPids(groups []controlGroup, wanted int) string {
	for _, g := range groups {
		most, limited := g.number("pids.max")
		if !limited {
			continue
		}
		if has, ok := g.number("pids.current"); ok && has+int64(wanted) > most {
			return fmt.Sprintf("pids.max of a control group allows %d threads, and there are %d", most, has)
		}
	}
	return ""
}

// farOff: if a user may have farOff times as many threads as a run wants, LacksThreads does not count the existing
// ones, which would take milliseconds.
const farOff = 16

// lacksUserThreads is LacksThreads for the limit of the user, which counts all threads of all its processes.
func lacksUserThreads(proc fs.FS, user int, limit uint64, wanted int) string {
	if limit > uint64(wanted)*farOff {
		return ""
	}
	has := 0
	files, _ := fs.Glob(proc, "[0-9]*/status")
	for _, name := range files {
		status, _ := fs.ReadFile(proc, name) // the process may have ended meanwhile
		owner, threads := -1, 0
		for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
			if key, value, _ := strings.Cut(lines.Text(), ":"); key == "Uid" {
				_, _ = fmt.Sscan(value, &owner)
			} else if key == "Threads" {
				_, _ = fmt.Sscan(value, &threads)
			}
		}
		if owner == user {
			has += threads
		}
	}
	if uint64(has+wanted) > limit {
		return fmt.Sprintf("ulimit -u allows the user %d threads, and there are %d", limit, has)
	}
	return ""
}
