package topo

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ocr/internal/proof/testrun"
)

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
		topology, err := read(files)
		testrun.OK(t, err)
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
