package topo

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"ocr/internal/core/cpulist"
	"ocr/internal/proof/testrun"
)

// machine describes a regular machine. CPUs are numbered as Linux does: first the first threads of all cores, package
// by package, then their second threads; core_id restarts in every package. The cores of a package are divided evenly
// among its nodes and caches.
type machine struct {
	model                                string
	packages, nodes, l3s, cores, threads int // nodes, level 3 caches and cores of one package; threads of one core
}

var machines = map[string]machine{
	"xeon-2s-smt":  {model: "Intel(R) Xeon(R) Gold 6244", packages: 2, nodes: 1, l3s: 1, cores: 4, threads: 2},
	"epyc-2s-ccx":  {model: "AMD EPYC 7313", packages: 2, nodes: 1, l3s: 2, cores: 4, threads: 2},
	"epyc-nps2":    {model: "AMD EPYC 9124", packages: 1, nodes: 2, l3s: 4, cores: 8, threads: 1},
	"xeon-2s-snc2": {model: "Intel(R) Xeon(R) Platinum 8490H", packages: 2, nodes: 2, l3s: 1, cores: 4, threads: 1},
}

// files returns the sys and proc files that the machine would show.
func (m machine) files() fstest.MapFS {
	files := fstest.MapFS{}
	cores := m.packages * m.cores
	all := cores * m.threads
	group := func(of func(cpu int) int, cpu int) string {
		var members []int
		for other := range all {
			if of(other) == of(cpu) {
				members = append(members, other)
			}
		}
		return cpulist.Format(members)
	}
	core := func(cpu int) int { return cpu % cores }
	pkg := func(cpu int) int { return core(cpu) / m.cores }
	node := func(cpu int) int { return core(cpu) * m.nodes / m.cores }
	l3 := func(cpu int) int { return core(cpu) * m.l3s / m.cores }

	put(files, "proc/cpuinfo", "processor\t: 0\nmodel name\t: %s\nflags\t\t: fpu sse2\n", m.model)
	put(files, cpuDir+"/online", "0-%d", all-1)
	put(files, cpuDir+"/present", "0-%d", all-1)
	for cpu := range all {
		dir := fmt.Sprintf("%s/cpu%d/", cpuDir, cpu)
		put(files, dir+"topology/physical_package_id", "%d", pkg(cpu))
		put(files, dir+"topology/die_id", "0")
		put(files, dir+"topology/core_id", "%d", core(cpu)%m.cores)
		put(files, dir+"topology/thread_siblings_list", "%s", group(core, cpu))
		put(files, dir+"cpufreq/scaling_governor", "performance")
		for index, cache := range []struct {
			level      int
			kind, size string
			of         func(int) int
		}{{1, "Data", "32K", core}, {1, "Instruction", "32K", core}, {2, "Unified", "1024K", core},
			{3, "Unified", "25344K", l3}} {
			at := fmt.Sprintf("%scache/index%d/", dir, index)
			put(files, at+"level", "%d", cache.level)
			put(files, at+"type", "%s", cache.kind)
			put(files, at+"size", "%s", cache.size)
			put(files, at+"coherency_line_size", "64")
			put(files, at+"shared_cpu_list", "%s", group(cache.of, cpu))
		}
		at := fmt.Sprintf("%s/node%d/", nodeDir, node(cpu))
		put(files, at+"cpulist", "%s", group(node, cpu))
		put(files, at+"meminfo", "Node %d MemTotal:       98304000 kB\nNode %d MemFree: 1 kB", node(cpu), node(cpu))
	}
	put(files, nodeDir+"/online", "0-%d", m.packages*m.nodes-1)
	return files
}

func put(files fstest.MapFS, name, format string, args ...any) {
	files[name] = &fstest.MapFile{Data: fmt.Appendf(nil, format+"\n", args...)}
}

// recording reads testdata/name.sysfs; testdata/README.md describes the format.
func recording(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".sysfs"))
	testrun.OK(t, err)
	files := fstest.MapFS{}
	for line := range strings.Lines(string(text)) {
		path, value, ok := strings.Cut(line, ":")
		if !ok || !fs.ValidPath(path) {
			t.Fatalf("%s.sysfs: bad line %q", name, line)
		}
		if files[path] == nil {
			files[path] = &fstest.MapFile{}
		}
		files[path].Data = append(files[path].Data, value...)
	}
	return files
}

// machineFiles returns the files of a generated or recorded machine.
func machineFiles(t testing.TB, name string) fstest.MapFS {
	if m, ok := machines[name]; ok {
		return m.files()
	}
	return recording(t, name)
}

func mustRead(t testing.TB, name string) *Topology {
	t.Helper()
	return mustReadFiles(t, machineFiles(t, name))
}

func mustReadFiles(t testing.TB, files fstest.MapFS) *Topology {
	t.Helper()
	topology, err := read(files)
	testrun.OK(t, err)
	return topology
}

// machineNames returns the names of all generated and recorded machines.
func machineNames(t testing.TB) []string {
	t.Helper()
	var names []string
	for name := range machines {
		names = append(names, name)
	}
	recorded, err := filepath.Glob("testdata/*.sysfs")
	if err != nil || len(recorded) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, path := range recorded {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".sysfs"))
	}
	return names
}
