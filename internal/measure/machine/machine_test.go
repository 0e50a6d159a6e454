package machine

import (
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/topo"
	"ocr/internal/proof/testrun"
)

func TestFacts(t *testing.T) {
	m := &Machine{
		Topology: &topo.Topology{
			CPUs: []topo.CPU{
				{ID: 0, Core: 0, Siblings: []int{0, 2}},
				{ID: 1, Core: 1, Package: 1, Siblings: []int{1}},
				{ID: 2, Core: 0, Siblings: []int{0, 2}},
			},
			Caches: []topo.Cache{{Level: 2, Type: "Unified", Size: 1 << 20, Line: 64, CPUs: []int{0, 2}}},
			Nodes:  []topo.Node{{ID: 0, CPUs: []int{0, 1, 2}, Memory: 1 << 30}},
		},
		Allowed: []int{0, 2}, Kernel: "linux 6.18", Clock: 25 * time.Nanosecond,
	}
	want := Facts{
		CPU: "unknown", Sockets: 2, Cores: 2, SMT: 2,
		Caches: []string{"L2 1 MiB x1, for 2 CPUs each, 64 B lines"},
		NUMA:   []string{"node 0: CPUs 0-2, 1 GiB"},
		Mask:   "0,2", Placement: []int{2, 0}, Kernel: "linux 6.18", Governor: "unknown", ClockResolutionNS: 25,
	}
	testrun.Same(t, want, m.Facts([]int{2, 0}), "facts")
}

func TestReadThisMachine(t *testing.T) {
	m, err := Read()
	testrun.OK(t, err)
	f := m.Facts(nil)
	mask, err := cpulist.Parse(f.Mask)
	if err != nil || len(mask) == 0 || !slices.Equal(mask, m.Allowed) {
		t.Errorf("mask %q of the allowed CPUs %v: %v", f.Mask, m.Allowed, err)
	}
	if len(m.Allowed) != goruntime.NumCPU() && goruntime.GOOS == "linux" {
		t.Errorf("%d CPUs allowed, the Go runtime sees %d", len(m.Allowed), goruntime.NumCPU())
	}
	if f.Sockets < 1 || f.Cores < 1 || f.SMT < 1 || f.Kernel == "" || f.Governor == "" || f.CPU == "" {
		t.Errorf("a fact is missing: %+v", f)
	}
	if f.ClockResolutionNS < 1 || f.ClockResolutionNS > int64(time.Millisecond) {
		t.Errorf("clock resolution = %d ns", f.ClockResolutionNS)
	}
}

func TestKernel(t *testing.T) {
	proc := fstest.MapFS{"sys/kernel/osrelease": {Data: []byte("6.18.44-x\n")}}
	testrun.Same(t, goruntime.GOOS+" 6.18.44-x", kernel(proc), "kernel")
	testrun.Same(t, goruntime.GOOS, kernel(fstest.MapFS{}), "kernel without /proc")
}

func TestBuildFromInfo(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.modified", Value: "true"},
			{Key: "-pgo", Value: "/src/cmd/x/default.pgo"}},
	}
	want := Build{Version: "v1.2.3", Commit: "0123abc", Dirty: true, PGO: "default.pgo",
		Go: goruntime.Version(), GOOS: goruntime.GOOS, GOARCH: goruntime.GOARCH}
	testrun.Same(t, want, fromInfo(info), "build")
	for _, none := range []*debug.BuildInfo{nil, {}} {
		if b := fromInfo(none); b.Version != "unknown" || b.Commit != "unknown" || b.Dirty {
			t.Errorf("build without information = %+v", b)
		}
	}
}

func TestReadBuild(t *testing.T) {
	old := debug.SetGCPercent(75)
	t.Cleanup(func() { debug.SetGCPercent(old) })
	if b := ReadBuild(); b.GOGC != 75 || b.GOMAXPROCS != goruntime.GOMAXPROCS(0) {
		t.Errorf("GOGC, GOMAXPROCS = %d, %d, want 75, %d", b.GOGC, b.GOMAXPROCS, goruntime.GOMAXPROCS(0))
	}
	debug.SetGCPercent(-1)
	testrun.Equal(t, -1, ReadBuild().GOGC, "GOGC with the collector off")
}
