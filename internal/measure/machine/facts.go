package machine

// Unknown is the value of a fact that the system does not tell.
const Unknown = "unknown"

// Facts describes the machine of a run. The JSON names are part of the layout
// ocrbench/1.
type Facts struct {
	CPU       string   `json:"cpu"`
	Sockets   int      `json:"sockets"`
	Cores     int      `json:"cores"`               // physical cores, all sockets together
	SMT       int      `json:"smt"`                 // hardware threads a core
	Caches    []string `json:"caches"`              // one for each kind, as topo.CacheSummary
	NUMA      []string `json:"numa"`                // one for each node, as topo.NodeSummary
	Mask      string   `json:"mask"`                // CPUs this process may use, as a Linux list
	Quota     float64  `json:"cpu_quota,omitempty"` // limit of the control group, in processors; 0 for none
	Placement []int    `json:"placement"`           // CPU of each worker, read back; -1 unknown or not pinned
	Kernel    string   `json:"kernel"`
	Governor  string   `json:"governor"` // of frequency scaling
	// ClockResolutionNS is the smallest step of the clock that times samples, in nanoseconds.
	ClockResolutionNS int64 `json:"clock_resolution_ns"`
}

// Build describes how the running program was built and is set up. The JSON
// names are part of the layout ocrbench/1.
type Build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit"`
	Dirty      bool   `json:"dirty"`
	PGO        string `json:"pgo,omitempty"` // name of the profile for the compiler; "" for none
	Go         string `json:"go"`
	GOOS       string `json:"goos,omitempty"`
	GOARCH     string `json:"goarch,omitempty"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	GOGC       int    `json:"gogc"` // percent; -1 if the collector is off
}
