package topo

import (
	"slices"
	"strconv"
	"strings"
)

// cpuInfo is what only /proc/cpuinfo has.
type cpuInfo struct {
	model      string
	hypervisor bool
	processors []int
}

func (r *reader) cpuInfo() cpuInfo {
	text, _ := r.text("proc/cpuinfo")
	return parseCPUInfo(text)
}

// modelKeys are the lines with the processor's name; which of them exists depends on the architecture.
var modelKeys = []string{"model name", "cpu model", "uarch", "cpu"}

func parseCPUInfo(text string) cpuInfo {
	var info cpuInfo
	first := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if n, err := strconv.Atoi(value); key == "processor" && err == nil && n >= 0 {
			info.processors = append(info.processors, n)
		}
		if _, seen := first[key]; !seen {
			first[key] = value
		}
	}
	info.hypervisor = slices.Contains(strings.Fields(first["flags"]), "hypervisor")
	for _, key := range modelKeys {
		if info.model = first[key]; info.model != "" {
			if family, model := first["cpu family"], first["model"]; family != "" && model != "" {
				info.model += " (family " + family + " model " + model + ")" // some hypervisors cut the name to "AMD EPYC"
			}
			return info
		}
	}
	if maker, part := first["CPU implementer"], first["CPU part"]; maker != "" {
		info.model = "ARM implementer " + maker + " part " + part
	}
	return info
}
