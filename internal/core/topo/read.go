package topo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	goruntime "runtime"
	"slices"
	"strings"

	"ocr/internal/core/sys"
)

const (
	cpuDir  = "sys/devices/system/cpu"
	nodeDir = "sys/devices/system/node"
)

// Local reads the topology of the machine that this process runs on. It includes CPUs that the process may use but the
// system does not list, as in some containers. It reads some thirty small files for each CPU, in 0.5 ms: call it once.
func Local() (*Topology, error) {
	usable, err := sys.GetAffinity()
	if err != nil {
		for cpu := range goruntime.NumCPU() {
			usable = append(usable, cpu)
		}
	}
	return read(os.DirFS("/"), usable...)
}

// read reads a topology from root, which has the trees sys and proc. usable are CPUs that the process is known to be
// able to use. For files that are missing or broken there are Warnings; the only error is that no CPU is found.
func read(root fs.FS, usable ...int) (*Topology, error) {
	r := &reader{root: root}
	info := r.cpuInfo()
	t := &Topology{Model: info.model, Hypervisor: info.hypervisor}
	online := r.online(info, usable)
	if len(online) == 0 {
		return nil, errors.New("topo: no CPU found under /" + cpuDir + " or in /proc/cpuinfo")
	}
	for _, id := range online {
		t.CPUs = append(t.CPUs, CPU{ID: id, Node: Unknown, L2: Unknown, L3: Unknown})
	}
	if present, ok := r.list(cpuDir + "/present"); ok {
		t.Offline = without(present, online)
	}
	r.places(t)
	r.caches(t)
	r.nodes(t)
	r.governors(t)
	if t.Hypervisor {
		r.warn("virtual machine: this is the topology its hypervisor shows, not the hardware's")
	}
	t.Warnings = r.allWarnings()
	return t, nil
}

// online returns the CPUs to describe: the kernel's list of online CPUs, or the CPUs in /proc/cpuinfo if there is no
// list; and the CPUs that the process can use.
func (r *reader) online(info cpuInfo, usable []int) []int {
	cpus, ok := r.list(cpuDir + "/online")
	if !ok || len(cpus) == 0 {
		r.warn("no list of online CPUs in /" + cpuDir + "/online")
		cpus = info.processors
	}
	if hidden := without(usable, cpus); len(hidden) > 0 {
		if len(cpus) > 0 {
			r.warn(named(hidden) + ": usable but not listed as online, hidden by a container")
		}
		cpus = append(cpus, hidden...)
	}
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

// without returns cpus less those of drop.
func without(cpus, drop []int) []int {
	return slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return slices.Contains(drop, cpu) })
}

// places finds the package and core of every CPU. The kernel's ids may be missing, negative or repeated in every
// package, so they are only compared for equality, and the list of a core's CPUs is preferred to the core's id.
func (r *reader) places(t *Topology) {
	packages, cores := numbering{}, numbering{}
	for i := range t.CPUs {
		c := &t.CPUs[i]
		dir := fmt.Sprintf("%s/cpu%d/topology/", cpuDir, c.ID)

		pkg := "whole machine"
		if id, ok := r.number(dir + "physical_package_id"); ok && id >= 0 {
			pkg = fmt.Sprint("id ", id)
		} else {
			r.miss("no package shown: all taken as one package", c.ID)
		}
		c.Package = packages.of(pkg)

		core := fmt.Sprint("cpu ", c.ID)
		if siblings, ok := r.list(dir + "thread_siblings_list"); ok && slices.Contains(siblings, c.ID) {
			core = fmt.Sprint("from ", t.onlyOnline(siblings)[0])
		} else if id, ok := r.number(dir + "core_id"); ok && id >= 0 {
			die, _ := r.number(dir + "die_id")
			core = fmt.Sprint(pkg, " die ", die, " core ", id)
		} else {
			r.miss("no core shown: each taken as a core of its own", c.ID)
		}
		c.Core = cores.of(core)
	}
	members := map[int][]int{}
	for _, c := range t.CPUs {
		members[c.Core] = append(members[c.Core], c.ID)
	}
	for i := range t.CPUs {
		t.CPUs[i].Siblings = members[t.CPUs[i].Core]
	}
}

func (t *Topology) onlyOnline(cpus []int) []int {
	return slices.DeleteFunc(cpus, func(cpu int) bool { _, ok := t.CPU(cpu); return !ok })
}

func (r *reader) governors(t *Topology) {
	var names []string
	for _, c := range t.CPUs {
		name, ok := r.text(fmt.Sprintf("%s/cpu%d/cpufreq/scaling_governor", cpuDir, c.ID))
		if ok && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t.Governor = cmp.Or(strings.Join(names, ","), "unknown")
}

// numbering numbers keys from 0, in the order in which they first occur.
type numbering map[string]int

func (n numbering) of(key string) int {
	number, ok := n[key]
	if !ok {
		number = len(n)
		n[key] = number
	}
	return number
}
