package machine

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// ticks are what became of the time of some processors, in ticks of the system's clock.
type ticks struct{ busy, steal, total uint64 }

func (t ticks) sub(earlier ticks) ticks {
	return ticks{t.busy - earlier.busy, t.steal - earlier.steal, t.total - earlier.total}
}

// Columns of a line of /proc/stat behind the processor's name; see proc_stat(5). Time of
// guests, further on, is part of the first two, user and nice.
const (
	statIdle    = 3
	statIOWait  = 4
	statSteal   = 7
	statColumns = 8
)

// readTicks adds up /proc/stat over processors. It returns false if one is missing there.
func readTicks(proc fs.FS, cpus []int) (t ticks, ok bool) {
	data, err := fs.ReadFile(proc, "stat")
	if err != nil {
		return t, false
	}
	found := 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 1+statColumns {
			continue
		}
		name, isCPU := strings.CutPrefix(fields[0], "cpu")
		cpu, err := strconv.Atoi(name)
		if !isCPU || err != nil || !slices.Contains(cpus, cpu) {
			continue
		}
		found++
		for i, field := range fields[1 : 1+statColumns] {
			n, err := strconv.ParseUint(field, 10, 64)
			if err != nil {
				return t, false
			}
			t.total += n
			switch i {
			case statIdle, statIOWait:
			case statSteal:
				t.steal += n
			default:
				t.busy += n
			}
		}
	}
	return t, found == len(cpus) && found > 0
}

// readLoad returns the load average of one minute, -1 if unknown.
func readLoad(proc fs.FS) float64 {
	data, err := fs.ReadFile(proc, "loadavg")
	if err != nil {
		return -1
	}
	minute, _, _ := strings.Cut(string(data), " ")
	load, err := strconv.ParseFloat(minute, 64)
	if err != nil {
		return -1
	}
	return load
}
