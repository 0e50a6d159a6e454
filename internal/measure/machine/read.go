package machine

import (
	"cmp"
	"io/fs"
	"os"
	goruntime "runtime"
	"strings"
	"time"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
	"ocr/internal/core/topo"
)

// Machine is the machine at the start of a run.
type Machine struct {
	Topology *topo.Topology
	Allowed  []int   // CPUs that this process may use, ascending, at least one
	Quota    float64 // see sys.CPUQuota
	Kernel   string
	Clock    time.Duration // smallest step of the clock
}

// Read reads the machine that the process runs on. It returns an error only
// if no processor can be found.
func Read() (*Machine, error) {
	t, err := topo.Local()
	if err != nil {
		return nil, err
	}
	allowed, err := sys.GetAffinity()
	if err != nil || len(allowed) == 0 {
		for _, c := range t.CPUs {
			allowed = append(allowed, c.ID)
		}
	}
	return &Machine{
		Topology: t, Allowed: allowed, Quota: sys.CPUQuota(), Kernel: kernel(os.DirFS("/proc")), Clock: sys.ClockResolution(),
	}, nil
}

// Facts returns the facts for a result. placement is the CPU of each worker, as the runtime read it back.
func (m *Machine) Facts(placement []int) Facts {
	t := m.Topology
	return Facts{
		CPU:     cmp.Or(t.Model, Unknown),
		Sockets: t.Sockets(), Cores: t.Cores(), SMT: t.SMT(),
		Caches: t.CacheSummary(), NUMA: t.NodeSummary(),
		Mask: cpulist.Format(m.Allowed), Quota: m.Quota, Placement: placement,
		Kernel: m.Kernel, Governor: cmp.Or(t.Governor, Unknown),
		ClockResolutionNS: max(1, m.Clock.Nanoseconds()),
	}
}

// kernel names the operating system and its release, from the files under /proc.
func kernel(proc fs.FS) string {
	release, err := fs.ReadFile(proc, "sys/kernel/osrelease")
	if err != nil {
		return goruntime.GOOS
	}
	return goruntime.GOOS + " " + strings.TrimSpace(string(release))
}
