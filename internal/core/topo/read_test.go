package topo

import (
	"fmt"
	"maps"
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
	testrun.Same(t, mustRead(t, "xeon-2s-smt"), mustReadFiles(t, files), "without thread_siblings_list")
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
			got := strings.Join(mustReadFiles(t, files).Warnings, "\n")
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
	testrun.Same(t, mustRead(t, "laptop-offline"), mustReadFiles(t, files), "with an offline CPU in a list")
}

// Instruction caches do not count: they pass no data from CPU to CPU.
func TestReadInstructionCache(t *testing.T) {
	files := recording(t, "arm64-clusters")
	for _, cpu := range []string{"0", "1"} {
		put(files, cpuDir+"/cpu"+cpu+"/cache/index2/type", "Instruction")
	}
	topology := mustReadFiles(t, files)
	for id, l2 := range map[int]int{1: Unknown, 2: 0} {
		c, _ := topology.CPU(id)
		testrun.Equal(t, l2, c.L2, "level 2 cache of CPU %d", id)
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
	testrun.Contains(t, fmt.Sprint(topology.Warnings), "CPU 6: usable but not listed as online")
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
	topology := mustReadFiles(t, files)
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

func TestParseSize(t *testing.T) {
	for in, want := range map[string]uint64{
		"0": 0, "512": 512, "48K": 48 << 10, "3072K": 3 << 20, "32M": 32 << 20, "1G": 1 << 30,
	} {
		if got, err := parseSize(in); err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "K", "-1K", "1.5M", "1T", "9223372036854775807G", "48 K"} {
		if got, err := parseSize(in); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", in, got)
		}
	}
}

func TestParseCPUInfo(t *testing.T) {
	tests := []struct {
		name, text string
		want       cpuInfo
	}{
		{"empty", "", cpuInfo{}},
		{"amd64", "processor\t: 0\nmodel name\t: A\nflags\t: fpu hypervisor\n\nprocessor\t: 1\nmodel name\t: B\n",
			cpuInfo{"A", true, []int{0, 1}}},
		{"cut name", "model\t\t: 1\ncpu family\t: 25\nmodel name\t: AMD EPYC\n",
			cpuInfo{"AMD EPYC (family 25 model 1)", false, nil}},
		{"not a guest", "flags\t: fpu nohypervisor\nmodel name\t:\n", cpuInfo{}},
		{"arm64", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
			cpuInfo{"ARM implementer 0x41 part 0xd0c", false, []int{0}}},
		{"power", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n",
			cpuInfo{"POWER9, altivec supported", false, []int{0}}},
		{"s390", "vendor_id : IBM/S390\nprocessor 0: version = FF\n", cpuInfo{}},
	}
	for _, tt := range tests {
		got := parseCPUInfo(tt.text)
		if got.model != tt.want.model || got.hypervisor != tt.want.hypervisor ||
			!slices.Equal(got.processors, tt.want.processors) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestParseMemTotal(t *testing.T) {
	if got, err := parseMemTotal("Node 0 MemTotal:   1024 kB\nNode 0 MemFree: 1 kB"); err != nil || got != 1<<20 {
		t.Errorf("got %d, %v, want %d", got, err, 1<<20)
	}
	for _, text := range []string{"", "MemFree: 1 kB", "MemTotal: x kB", "MemTotal: 12",
		"MemTotal: 18446744073709551615 kB"} {
		if got, err := parseMemTotal(text); err == nil {
			t.Errorf("parseMemTotal(%q) = %d, want an error", text, got)
		}
	}
}

// FuzzRead puts an arbitrary value into one file of a good machine: reading never fails, and the topology is
// consistent.
func FuzzRead(f *testing.F) {
	good := machines["xeon-2s-snc2"].files()
	var names []string
	for name := range good {
		if name != cpuDir+"/online" && !strings.Contains(name, "/cpu3/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, value := range []string{"", "0-3", "-1", "48K", "1048575", "7-3", "MemTotal: 1 kB"} {
		f.Add(uint(i), value)
	}
	for i, name := range names {
		f.Add(uint(i), string(good[name].Data))
	}
	f.Fuzz(func(t *testing.T, file uint, value string) {
		files := fstest.MapFS{}
		maps.Copy(files, good)
		put(files, names[file%uint(len(names))], "%s", value)
		topology := mustReadFiles(t, files)
		for _, c := range topology.CPUs {
			if !slices.Contains(c.Siblings, c.ID) {
				t.Fatalf("CPU %d is not among its siblings %v", c.ID, c.Siblings)
			}
			if topology.Distance(c.ID, 3) != topology.Distance(3, c.ID) {
				t.Fatalf("Distance(%d, 3) is not symmetric", c.ID)
			}
		}
		if order := topology.Order(idsOf(topology.CPUs)); len(order) != len(topology.CPUs) {
			t.Fatalf("Scatter leaves CPUs out: %v", order)
		}
		_ = topology.String()
	})
}
