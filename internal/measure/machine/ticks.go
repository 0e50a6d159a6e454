package machine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// ticks are how some processors spent their time, in ticks of the system's clock.
type ticks struct{ busy, steal, total uint64 }

func (t ticks) sub(earlier ticks) ticks {
	return ticks{t.busy - earlier.busy, t.steal - earlier.steal, t.total - earlier.total}
}

// readTicks adds up /proc/stat over processors. ok is false if one is missing in it.
func readTicks(proc fs.FS, cpus []int) (t ticks, ok bool) {
	data, err := fs.ReadFile(proc, "stat")
	found := 0
	for line := range strings.Lines(string(data)) {
		var cpu int
		var user, nice, system, idle, iowait, irq, softirq, steal uint64 // guests are part of user and nice: proc_stat(5)
		n, _ := fmt.Sscanf(line, "cpu%d %d %d %d %d %d %d %d %d",
			&cpu, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal)
		if n == 9 && slices.Contains(cpus, cpu) {
			busy := user + nice + system + irq + softirq
			t = ticks{t.busy + busy, t.steal + steal, t.total + busy + idle + iowait + steal}
			found++
		}
	}
	return t, err == nil && found == len(cpus) && found > 0
}

// readLoad returns the load average of one minute, -1 if unknown.
func readLoad(proc fs.FS) float64 {
	data, err := fs.ReadFile(proc, "loadavg")
	load := -1.
	if _, none := fmt.Sscan(string(data), &load); err != nil || none != nil {
		return -1
	}
	return load
}
