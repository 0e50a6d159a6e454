package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ocr/internal/cpulist"
	"ocr/internal/machine"
)

// pool is the worker pool that the flags ask for.
type pool struct {
	workers  int
	cpus     []int // ascending, a part of the mask
	bind     string
	warnings []string
}

// pool resolves --workers, --cpus and --bind on this machine.
func (s *session) pool(cmd *cobra.Command, m *machine.Machine) (*pool, error) {
	p := &pool{workers: s.options.workers, cpus: m.Allowed, bind: s.options.bind}
	if flag := cmd.Flags().Lookup("cpus"); flag.Changed || s.options.cpus != "" {
		mask := cpulist.Format(m.Allowed)
		what, given := s.source(cmd, "cpus"), plain(s.options.cpus)
		cpus, err := cpulist.Parse(s.options.cpus)
		switch {
		case err != nil:
			return nil, usagef("%s %s: must be a Linux list, such as 0-3,8, of processors within %s", what, given, mask)
		case len(cpus) == 0:
			return nil, usagef("%s %s: must name at least one of the allowed processors %s", what, given, mask)
		}
		for _, cpu := range cpus {
			if !slices.Contains(m.Allowed, cpu) {
				return nil, usagef("%s %s: processor %d is not in the allowed mask %s", what, given, cpu, mask)
			}
		}
		p.cpus = cpus
	}
	if p.workers == 0 {
		p.workers = min(len(p.cpus), maxWorkers)
	}
	if p.workers > len(p.cpus) {
		p.warnings = append(p.warnings, fmt.Sprintf("%d workers share %d processors: times include waiting for one", p.workers, len(p.cpus)))
	}
	return p, nil
}

func (p *pool) cpuList() string { return cpulist.Format(p.cpus) }
