package topo

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

func TestRenderGolden(t *testing.T) {
	for _, name := range machineNames(t) {
		t.Run(name, func(t *testing.T) {
			testrun.Golden(t, name+".golden", mustRead(t, name).String())
		})
	}
}

func TestReadCPU(t *testing.T) {
	got, _ := mustRead(t, "xeon-2s-smt").CPU(13)
	testrun.Same(t, CPU{ID: 13, Core: 5, Package: 1, Node: 1, L2: 5, L3: 1, Siblings: []int{5, 13}}, got, "CPU 13")
	if c, ok := mustRead(t, "laptop-offline").CPU(3); ok {
		t.Errorf("the offline CPU 3 is found: %v", c)
	}
}

// Ids are enough if lists of siblings are missing, although core_id repeats in every package.
func TestReadByIDsOnly(t *testing.T) {
	files := machines["xeon-2s-smt"].files()
	for name := range files {
		if strings.HasSuffix(name, "thread_siblings_list") {
			delete(files, name)
		}
	}
	got, err := read(files)
	testrun.OK(t, err)
	testrun.Same(t, mustRead(t, "xeon-2s-smt"), got, "without thread_siblings_list")
}

func TestWarnings(t *testing.T) {
	cpu1 := cpuDir + "/cpu1/"
	tests := []struct{ name, file, value, want string }{
		{"bad number", cpu1 + "topology/core_id", "one", ""},            // not needed: the list of siblings is there
		{"no siblings", cpu1 + "topology/thread_siblings_list", "", ""}, // core_id is there
		{"bad package", cpu1 + "topology/physical_package_id", "x", "CPU 1: no package shown"},
		{"bad online list", cpuDir + "/online", "0-", cpuDir + "/online ignored: CPU list"},
		{"bad size", cpu1 + "cache/index0/size", "many", cpu1 + "cache/index0/size ignored: want a size such as 48K"},
		{"shared without itself", cpu1 + "cache/index3/shared_cpu_list", "4",
			"CPU 1: a cache does not list the CPUs that share it"},
		{"bad node list", nodeDir + "/online", "?", "no NUMA nodes in /" + nodeDir},
		{"bad node cpulist", nodeDir + "/node1/cpulist", "?", "NUMA node 1 does not list its CPUs"},
		{"cpu in no node", nodeDir + "/node1/cpulist", "4-6,12-15", "CPU 7: in no NUMA node"},
		{"bad memory", nodeDir + "/node1/meminfo", "none", "no MemTotal line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := machines["xeon-2s-smt"].files()
			put(files, tt.file, "%s", tt.value)
			topology, err := read(files)
			testrun.OK(t, err)
			got := strings.Join(topology.Warnings, "\n")
			if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("warnings:\n%s\nwant one with %q", got, tt.want)
			}
		})
	}
}

// A list that still has an offline CPU describes the same cache.
func TestReadCacheSharedWithOffline(t *testing.T) {
	files := recording(t, "laptop-offline")
	put(files, cpuDir+"/cpu0/cache/index3/shared_cpu_list", "0-3")
	got, err := read(files)
	testrun.OK(t, err)
	testrun.Same(t, mustRead(t, "laptop-offline"), got, "with an offline CPU in a list")
}

// Instruction caches do not count: they pass no data from CPU to CPU.
func TestReadInstructionCache(t *testing.T) {
	files := recording(t, "arm64-clusters")
	for _, cpu := range []string{"0", "1"} {
		put(files, cpuDir+"/cpu"+cpu+"/cache/index2/type", "Instruction")
	}
	topology, err := read(files)
	testrun.OK(t, err)
	if c, _ := topology.CPU(1); c.L2 != Unknown {
		t.Errorf("CPU 1 has level 2 cache %d, want it unknown", c.L2)
	}
	if c, _ := topology.CPU(2); c.L2 != 0 {
		t.Errorf("CPU 2 has level 2 cache %d, want 0", c.L2)
	}
}

func TestReadNothing(t *testing.T) {
	if topology, err := read(fstest.MapFS{}); err == nil {
		t.Errorf("Read of an empty tree = %v, want an error", topology)
	}
}

// A container may list fewer CPUs than the process can use.
func TestReadHiddenCPUs(t *testing.T) {
	topology, err := read(recording(t, "bare-vm"), 0, 6)
	testrun.OK(t, err)
	if _, ok := topology.CPU(6); !ok {
		t.Error("CPU 6 is usable but not in the topology")
	}
	if !slices.ContainsFunc(topology.Warnings, func(w string) bool {
		return strings.Contains(w, "CPU 6: usable but not listed as online")
	}) {
		t.Errorf("no warning about CPU 6: %q", topology.Warnings)
	}
	topology, err = read(fstest.MapFS{}, 2, 3)
	if err != nil || len(topology.CPUs) != 2 {
		t.Errorf("without any files: %v, %v, want CPUs 2 and 3", topology, err)
	}
}

func TestMemoryOnlyNode(t *testing.T) {
	files := machines["epyc-nps2"].files()
	put(files, nodeDir+"/online", "0-2")
	put(files, nodeDir+"/node2/cpulist", "")
	put(files, nodeDir+"/node2/meminfo", "Node 2 MemTotal: 1048576 kB")
	topology, err := read(files)
	testrun.OK(t, err)
	want := []string{"node 0: CPUs 0-3, 93.8 GiB", "node 1: CPUs 4-7, 93.8 GiB", "node 2: no CPUs, 1 GiB"}
	testrun.Same(t, want, topology.NodeSummary(), "NodeSummary")
	testrun.Contains(t, topology.String(), "node 2: no CPUs, 1 GiB\n")
}

func TestLocal(t *testing.T) {
	topology, err := Local()
	testrun.OK(t, err)
	usable, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	for _, cpu := range usable {
		if _, ok := topology.CPU(cpu); !ok {
			t.Errorf("CPU %d is usable but not in the topology", cpu)
		}
	}
	for _, c := range topology.CPUs {
		if !slices.Contains(c.Siblings, c.ID) {
			t.Errorf("CPU %d is not among its siblings %v", c.ID, c.Siblings)
		}
	}
	if topology.Cores()*topology.SMT() < len(topology.CPUs) || topology.Sockets() < 1 || len(topology.Nodes) < 1 {
		t.Errorf("the counts do not add up:\n%v", topology)
	}
	order := topology.Order(usable)
	slices.Sort(order)
	testrun.Same(t, usable, order, "Order of the usable CPUs")
}
