package topo

import (
	"os"
	goruntime "runtime"

	"ocr/internal/sys"
)

// Local reads the topology of the machine this process runs on. CPUs that the
// process may use but the system does not list, as in some containers, are
// included. It reads some thirty small files for each CPU, 0.5 ms of system
// calls: once a run, not on a hot path.
func Local() (*Topology, error) {
	usable, err := sys.GetAffinity()
	if err != nil {
		for cpu := range goruntime.NumCPU() {
			usable = append(usable, cpu)
		}
	}
	return read(os.DirFS("/"), usable)
}
